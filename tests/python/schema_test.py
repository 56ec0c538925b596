"""share/model.schema.json accepts the example models and refuses faulty ones."""

import json
import os
import pathlib
import sys

import jsonschema
import yaml

root = pathlib.Path(os.environ.get("TUMBLE_SOURCE_DIR") or pathlib.Path(__file__).parents[2])
schema = json.loads((root / "share/model.schema.json").read_text())
jsonschema.Draft7Validator.check_schema(schema)
validator = jsonschema.Draft7Validator(schema)
failures = []


def mistakes(path):
    return [error.message for error in validator.iter_errors(yaml.safe_load(path.read_text()))]


# What the program reads, the schema accepts.
corpus = root / "fuzz/corpus/model_reader_fuzzer"
good = sorted((root / "examples").glob("**/*.yaml"))
good += [corpus / f"{name}.yaml" for name in ("forces", "joints", "uncertainty")]
for path in good:
    if found := mistakes(path):
        failures.append(f"{path.relative_to(root)} is refused: {found[0]}")

# Mistakes of form, which an editor with the schema should mark. (Mistakes of meaning, such as a
# reference to a body that does not exist, are beyond a schema.)
bad = """
    applied-bad-axes bad-name bodies-not-a-mapping body-not-a-mapping bushing-five-values
    bushing-short-row constant-not-a-number constants-not-a-mapping distance-one-point
    drive-empty-sum drive-negative-frequency drive-no-coefficients drive-no-times duration-missing
    general-motion-twice general-unknown-motion gravity-not-a-list gravity-two-components
    ground-unknown-key inertia-four-values inertia-number inertia-rows-unequal
    iterations-not-whole joint-one-end joint-unknown-type joint-without-type marker-without-position
    mass-has-no-value mass-is-a-list mass-negative mass-zero missing-required motion-not-a-mapping
    motion-unknown-direction no-bodies no-simulation not-a-mapping orientation-no-sequence
    orientation-one-axis orientation-three-numbers orientation-two-forms orientation-unknown-form
    orientation-word position-two-components probe-no-quantities probe-quantity-twice
    probe-system-not-a-switch probe-unknown-quantity reserved-name section-empty shape-bad-axis
    shape-missing-size shape-negative-radius shape-unknown simulation-not-a-mapping
    spectral-radius spherical-has-no-motion spring-bad-interpolation spring-empty-polynomial
    spring-law-is-a-list spring-negative-stiffness spring-two-laws spring-unknown-law step-negative
    title-not-text uncertainty-correlation-is-a-number uncertainty-correlation-missing
    uncertainty-cylinder uncertainty-entry-not-a-mapping uncertainty-mass-cv-missing
    uncertainty-mesh uncertainty-negative-std uncertainty-not-a-mapping uncertainty-polytope
    uncertainty-region-values uncertainty-sampler uncertainty-two-regions uncertainty-unknown-key
    uncertainty-unknown-law uncertainty-without-law uncertainty-z-max unknown-key unknown-section
""".split()
for name in bad:
    if not mistakes(root / "tests/faulty" / f"{name}.yaml"):
        failures.append(f"tests/faulty/{name}.yaml is accepted")

print(f"{len(good)} models accepted, {len(bad)} faulty ones refused" if not failures else "\n".join(failures))
sys.exit(1 if failures else 0)
