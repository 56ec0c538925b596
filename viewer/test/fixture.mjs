// A small payload of every kind of content, with names that try to be more than text.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const HOSTILE = `<img src=x onerror="window.hacked=1"></script><script>window.hacked=1</script>&amp; "x"`;

class Blob {
  parts = [];
  size = 0;
  add(type, shape, values) {
    const Kind = { f64: Float64Array, f32: Float32Array, i32: Int32Array, u8: Uint8Array }[type];
    const bytes = Buffer.from(Kind.from(values).buffer);
    const ref = { at: this.size, type, shape };
    const pad = Buffer.alloc((8 - (bytes.length % 8)) % 8);
    this.parts.push(bytes, pad);
    this.size += bytes.length + pad.length;
    return ref;
  }
}

const N = 101;
const range = (n, f) => Array.from({ length: n }, (_, i) => f(i));
export const TIMES = range(N, (i) => i * 0.02);
export const BREAK = TIMES[50];
const angle = (t, k = 1) => 0.6 * Math.cos(3.1 * k * t);
const point = (a, r = 1) => [r * Math.sin(a), 0, -r * Math.cos(a)];
const pose = (a) => [...point(a, 0.5), Math.cos(a / 2), 0, -Math.sin(a / 2), 0];

/** A pendulum whose mass is random: closed-form motion, invented statistics. */
export function makeStudy(
  blob,
  {
    label = "pendulum",
    method = "monte-carlo",
    title = HOSTILE,
    samples = 6,
    chaos = false,
    groups = [HOSTILE],
    banded = false,
    measured = false,
    region = "quantile",
    errors = true,
    driven = false,
    shortfall = "",
    mismatch = { nominal: 2e-5, largest: 3e-3, realization: 7 },
  } = {},
) {
  const rows = (f) => TIMES.flatMap((t) => f(t));
  const position = (t) => point(angle(t));
  const std = (t) => [0.02 * t, 0, 0.01 * t];
  const band = (s) => rows((t) => position(t).map((x, k) => x + s * std(t)[k]));
  const f64 = (shape, values) => blob.add("f64", shape, values);
  const drawn = 64;
  const mass = range(drawn, (i) => 1 + 0.2 * Math.sin(12.9898 * (i + 1)));
  const speeds = range(samples, (k) => 1 + 0.01 * (k - samples / 2));
  const curve = {
    probe: HOSTILE,
    quantity: "position",
    description: "of the point, ground axes",
    unit: "m",
    axes: ["x", "y", "z"],
    nominal: f64([N, 3], rows(position)),
    nominal_right: f64([1, 3], [5, 0, 7]),
    mean: f64([N, 3], rows(position)),
    std: f64([N, 3], rows(std)),
    quantile: f64([3, N, 3], [...band(-1.6), ...band(0), ...band(1.6)]),
    more: [
      { name: "largest value", unit: "m", values: f64([N, 3], band(2.5)) },
      {
        name: "lopsidedness",
        unit: "1",
        values: f64(
          [N, 3],
          rows((t) => [t, 0, -t]),
        ),
      },
    ],
    principal_std: f64([N, 3], rows(std)),
    principal_axes: f64(
      [N, 3, 3],
      rows(() => [1, 0, 0, 0, 1, 0, 0, 0, 1]),
    ),
    cov: f64(
      [N, 3, 3],
      rows((t) => [std(t)[0] ** 2, 0, 0, 0, 0, 0, 0, 0, std(t)[2] ** 2]),
    ),
    samples: blob.add(
      "f32",
      [samples, N, 3],
      speeds.flatMap((k) => rows((t) => point(angle(t, k)))),
    ),
    peak_max: f64(
      [drawn, 3],
      mass.flatMap((m) => [0.56 * m, 0, -0.8 * m]),
    ),
  };
  if (chaos) {
    Object.assign(curve, {
      mean_error: f64(
        [N, 3],
        rows((t) => [1e-6 * t, 0, 1e-7 * t]),
      ),
      std_error: f64(
        [N, 3],
        rows((t) => [1e-5 * t, 0, 1e-6 * t]),
      ),
      chaos_error: f64(
        [N, 3],
        rows(() => [1e-3, 0, 1e-4]),
      ),
      sobol_first: f64([2, N, 3], [...rows(() => [0.6, 0.6, 0.6]), ...rows(() => [0.3, 0.3, 0.3])]),
      sobol_group: f64(
        [groups.length, N, 3],
        groups.flatMap((_, k) => rows(() => [0.7 - 0.5 * k, 0, 0])),
      ),
    });
    // Shares of what varies little are large; of the largest variance they are small.
    if (measured)
      Object.assign(curve, {
        chaos_error: f64(
          [N, 3],
          rows((t) => [t < 1 ? 0.9 : 0.1, 0, 0.5]),
        ),
        chaos_error_lower: f64(
          [N, 3],
          rows(() => [0.04, 0, 0.04]),
        ),
        chaos_error_upper: f64(
          [N, 3],
          rows(() => [0.25, 0, 0.9]),
        ),
      });
  } else if (errors) {
    Object.assign(curve, {
      mean_se: f64(
        [N, 3],
        rows((t) => std(t).map((s) => s / 8)),
      ),
      std_se: f64(
        [N, 3],
        rows((t) => std(t).map((s) => s / 11)),
      ),
      intervals: [
        [-0.31, 0.29, 0.11, 0.19],
        [0, 0, 0, 0],
        [-1, null, 0, 0.5],
      ],
    });
  }
  const speed = {
    probe: HOSTILE,
    quantity: "angular_velocity",
    description: "",
    unit: "rad/s",
    axes: [""],
    nominal: f64(
      [N, 1],
      TIMES.map((t) => -1.86 * Math.sin(3.1 * t)),
    ),
  };
  const energy = {
    time: f64([N], TIMES),
    kinetic: f64(
      [N],
      TIMES.map((t) => Math.sin(3.1 * t) ** 2),
    ),
    potential: f64(
      [N],
      TIMES.map((t) => 1 - Math.sin(3.1 * t) ** 2),
    ),
    elastic: f64(
      [N],
      TIMES.map(() => 0),
    ),
    work: driven
      ? null
      : f64(
          [N],
          TIMES.map(() => 0),
        ),
  };
  if (region !== "quantile")
    Object.assign(curve, {
      region_lower: f64([N, 3], shortfall ? band(-3).map(() => -Infinity) : band(-3)),
      region_upper: f64([N, 3], shortfall ? band(3).map(() => Infinity) : band(3)),
    });
  return {
    label,
    title,
    time: f64([N], TIMES),
    breaks: f64([1], [BREAK]),
    quantiles: [0.05, 0.5, 0.95],
    summary: {
      file: "pendulum.yaml",
      method,
      realizations: drawn,
      failed: chaos ? 0 : 2,
      seed: 1,
      confidence: 0.9,
      version: "0.1.0",
      model_sha256: "0".repeat(64),
      command: `tumble run pendulum.yaml -n ${drawn} --seed 1`,
      wall_time: 1.5,
      rate: 42,
      threads: 2,
      ranks: 1,
      bodies: 1,
      beams: 1,
      joints: 1,
      forces: 1,
      degrees_of_freedom: 1,
      duration: 2,
      step: 1e-3,
      widest: { curve: 0, axis: 0, time_index: N - 1, std: 0.04, mean: 0.5, relative: 0.07 },
      energy_mismatch: mismatch,
      warnings: [HOSTILE],
    },
    curves: [curve, speed],
    quantities: makeQuantities(f64, chaos),
    ...(banded ? { bands: [makeBand(f64)] } : {}),
    realizations: {
      shown: blob.add(
        "i32",
        [drawn],
        range(drawn, (i) => i),
      ),
      status: blob.add(
        "u8",
        [drawn],
        range(drawn, (i) => (!chaos && i % 40 === 5 ? 1 : 0)),
      ),
      failure_time: f64(
        [drawn],
        range(drawn, () => NaN),
      ),
    },
    inputs: [0, 1, 2].map((k) => ({
      path: `bodies.bob.position[${k}]`,
      unit: "m",
      law: HOSTILE,
      nominal: 1,
      values: f64(
        [drawn],
        mass.map((m, i) => m + 0.01 * k * Math.cos(i)),
      ),
      edges: f64([5], [0.7, 0.9, 1, 1.1, 1.3]),
      counts: blob.add("i32", [4], [16, 14, 15, 19]),
      density: { x: f64([3], [0.7, 1, 1.3]), y: f64([3], [1, 2, 1]) },
      parameters: [[HOSTILE, HOSTILE]],
    })),
    correlations: null,
    convergence: chaos
      ? null
      : {
          n: f64([4], [8, 16, 32, 64]),
          curves: [{ curve: 0, axis: -1, mean_square: f64([4], [1, 1.1, 1.05, 1.06]), mean_se: f64([4], [0.2, 0.1, 0.07, 0.05]) }],
        },
    chaos: chaos
      ? {
          method: "tensor grid of 64 Gauss points",
          error_method: "terms of the highest degree",
          germ: ["a", HOSTILE],
          group: groups,
          polynomials: ["Hermite", "Hermite"],
          terms: 36,
          degree: 5,
        }
      : null,
    fields: [
      {
        name: HOSTILE,
        unit: "Pa",
        method: "EOLE, 2 terms",
        place: f64([3], [0, 0.5, 1]),
        mean: f64([3], [1, 1, 1]),
        std: f64([3], [0.1, 0.1, 0.1]),
        variance_error: f64([3], [0.02, 0.01, 0.02]),
        samples: blob.add("f32", [2, 3], [1, 1.1, 1, 0.9, 1, 1.1]),
      },
    ],
    trust: {
      steps: 2000,
      iterations: 4000,
      factorizations: 10,
      restarts: 1,
      halvings: 0,
      constraint_drift: 1e-12,
      energy,
      failures: chaos
        ? []
        : [
            { realization: 5, time: 0.4, reason: HOSTILE },
            { realization: 45, time: 0.6, reason: "no convergence" },
          ],
      notes: chaos ? [] : ["Errors rest on independent realisations: 63 degrees of freedom."],
      region,
      ...(shortfall ? { region_shortfall: shortfall } : {}),
      interval_confidence: 0.95,
    },
    scene: {
      time: f64([N], TIMES),
      gravity: [0, 0, -9.81],
      samples: range(samples, (k) => k),
      drawn: false,
      mean_of: drawn,
      low: [-0.6, -0.1, -1.1],
      high: [0.6, 0.1, 0],
      bodies: [
        {
          name: HOSTILE,
          shapes: [
            { type: "box", size: [0.1, 0.1, 1], center: [0, 0, 0] },
            { type: "sphere", radius: 0.12, center: [0, 0, -0.5] },
            { type: "cylinder", radius: 0.05, length: 0.3, axis: [0, 1, 0], center: [0, 0, 0.5] },
          ],
          given: true,
          random: true,
          nominal: blob.add(
            "f32",
            [N, 7],
            rows((t) => pose(angle(t))),
          ),
          mean: blob.add(
            "f32",
            [N, 7],
            rows((t) => pose(angle(t) * 0.98)),
          ),
          samples: blob.add(
            "f32",
            [samples, N, 7],
            speeds.flatMap((k) => rows((t) => pose(angle(t, k)))),
          ),
        },
      ],
      beams: [
        {
          name: "wire",
          section: { type: "circle", radius: 0.02 },
          random: false,
          nominal: blob.add(
            "f32",
            [N, 2, 9],
            rows((t) => [0, 0, 0, 0, 1, 0, 1, 0, 0, ...point(angle(t)), 0, 1, 0, 1, 0, 0]),
          ),
        },
      ],
      joints: [
        { name: HOSTILE, type: "revolute", at: { on: "ground", point: [0, 0, 0] }, axis: [0, 1, 0] },
        { name: "new joint", type: "of tomorrow", at: { on: "ground", point: [0, 0, 0] }, axis: null },
      ],
      springs: [
        {
          name: "spring",
          type: "spring",
          ends: [
            { on: "ground", point: [-0.8, 0, -0.5] },
            { on: "body", body: 0, point: [0, 0, -0.2] },
          ],
        },
        {
          name: "new link",
          type: "of tomorrow",
          ends: [
            { on: "ground", point: [0.8, 0, -0.5] },
            { on: "body", body: 0, point: [0, 0, -0.2] },
          ],
        },
      ],
      loads: [{ name: "new load", type: "of tomorrow", at: { on: "body", body: 0, point: [0, 0, 0] } }],
      marks: [{ probe: HOSTILE, at: { on: "beam", beam: 0, station: 1 }, curve: 0 }],
    },
  };
}

/** A statistic of a sweep at the place of a point along its parameters, with the same error everywhere. */
export const ANSWER = (place, row, axis) => place.reduce((sum, i, k) => sum + i * 10 ** k, 0) + 0.25 * row + 1000 * axis;
export const ANSWER_ERROR = 0.5;

/**
 * Parameters: numbers in no order, texts, numbers; the last point has no numbers, unless it is the only one.
 * More than three are one parameter with as many values.
 */
export function makeSweep(blob, count = 3) {
  const parameters = [
    { paths: ["gravity[2]"], unit: "m/s^2", values: ["-1.62", "-9.81", "0"], numbers: [-1.62, -9.81, 0] },
    { paths: ["bodies.bob.inertia", HOSTILE], unit: "", values: ["[1, 1, 1]", HOSTILE], numbers: null },
    { paths: ["uncertainty.bob.mass.cv"], unit: "", values: ["0.1", "0.2"], numbers: [0.1, 0.2] },
  ].slice(0, count > 3 ? 1 : Math.max(1, count));
  if (count === 0) Object.assign(parameters[0], { values: ["-1.62"], numbers: [-1.62] });
  if (count > 3) Object.assign(parameters[0], { values: range(count, String), numbers: range(count, (i) => i) });
  const sizes = parameters.map((p) => p.values.length);
  const points = sizes.reduce((product, n) => product * n, 1);
  const place = (p) => sizes.reduceRight(([rest, out], n) => [Math.floor(rest / n), [rest % n, ...out]], [p, []])[1];
  const rows = 5;
  const values = (error) =>
    range(points, (p) =>
      range(rows, (row) => [0, 1, 2].map((axis) => (p === points - 1 && p > 0 ? NaN : ANSWER(place(p), row, axis) + error))),
    ).flat(2);
  const f32 = (shape, numbers) => blob.add("f32", shape, numbers);
  const statistic = (name) => ({
    name,
    over_time: true,
    value: f32([points, rows, 3], values(0)),
    band: "95 % interval",
    lower: f32([points, rows, 3], values(-ANSWER_ERROR)),
    upper: f32([points, rows, 3], values(ANSWER_ERROR)),
  });
  return {
    label: "sweep",
    title: HOSTILE,
    summary: {
      file: "pendulum.yaml",
      method: "monte-carlo",
      realizations: 64 * points,
      failed: 3,
      seed: 1,
      common_numbers: true,
      version: "0.1.0",
      model_sha256: "0".repeat(64),
      command: "tumble sweep pendulum.yaml --vary gravity[2]=-1.62,-9.81,0",
      wall_time: 2,
      threads: 2,
      warnings: [HOSTILE],
    },
    parameters,
    points: range(points, (p) => ({ realizations: 64, failed: p === 1 ? 3 : 0, failure: p === points - 1 && p > 0 ? HOSTILE : "" })),
    time: blob.add(
      "f64",
      [rows],
      range(rows, (i) => 0.1 * i),
    ),
    times_computed: 41,
    responses: [
      {
        probe: HOSTILE,
        quantity: "position",
        unit: "m",
        axes: ["x", "y", "z"],
        statistics: [
          statistic("mean"),
          statistic("standard deviation"),
          {
            name: "standard deviation averaged over time",
            over_time: false,
            band: "",
            value: f32([points, 3], range(points, (p) => [p, 2 * p, 3 * p]).flat()),
          },
        ],
      },
      {
        probe: "all",
        quantity: "kinetic_energy",
        unit: "J",
        axes: [""],
        statistics: [
          {
            name: "mean",
            over_time: true,
            band: "",
            value: f32(
              [points, rows, 1],
              range(points * rows, (i) => i),
            ),
          },
        ],
      },
    ],
    widest: { response: 0, axis: 2, row: 4 },
    start_statistic: "standard deviation",
  };
}

/** A gain that falls with frequency, and lies between half of that and twice as much. */
function makeBand(f64) {
  const at = range(21, (i) => 10 ** (i / 10));
  const times = (factor) =>
    f64(
      [21],
      at.map((f) => factor / f),
    );
  return {
    name: "shaken",
    description: "gain of tip.position.z by shake of amplitude 1",
    unit: "m",
    frequency: f64([21], at),
    nominal: times(1),
    mean: times(1.1),
    mean_error: times(0.01),
    std: times(0.3),
    quantiles: [
      { probability: 0.05, value: times(0.5), lower: times(0.4), upper: times(0.6) },
      { probability: 0.5, value: times(1), lower: times(0.9), upper: times(1.1) },
      { probability: 0.95, value: times(2), lower: times(1.8), upper: times(2.3) },
    ],
  };
}

/** A uniform quantity between 2 and 4, and one that happens in half of the runs. */
function makeQuantities(f64, chaos) {
  const at = range(41, (i) => 1.5 + 0.075 * i);
  const share = at.map((q) => Math.min(1, Math.max(0, (4 - q) / 2)));
  const curves = (beyond) => ({
    abscissa: f64([41], at),
    density: f64(
      [41],
      at.map((q) => (q > 2 && q < 4 ? 0.5 : 0)),
    ),
    ...(chaos
      ? {}
      : {
          density_se: f64(
            [41],
            at.map(() => 0.05),
          ),
        }),
    exceedance: f64(
      [41],
      share.map((p) => beyond + (1 - beyond) * p),
    ),
    exceedance_lower: f64(
      [41],
      share.map((p) => Math.max(0, beyond + (1 - beyond) * p - 0.1)),
    ),
    exceedance_upper: f64(
      [41],
      share.map((p) => Math.min(1, beyond + (1 - beyond) * p + 0.1)),
    ),
  });
  const numbers = {
    count: 62,
    mean: 3,
    mean_error: 0.07,
    std: 0.58,
    std_error: 0.03,
    mean_output_error: 1e-4,
    mean_time_error: 2e-5,
    quantiles: [
      [0.05, 2.1, null, 2.3],
      [0.5, 3, 2.8, 3.2],
      [0.95, 3.9, 3.7, null],
    ],
  };
  const shares = [
    { name: HOSTILE, alone: [0.15, 0.1, 0.2], total: [0.2, 0.12, 0.28] },
    { name: "bob", alone: [0.8, 0.7, 0.9], total: [0.85, 0.75, 0.95] },
  ];
  const errors = chaos ? { chaos_error: 0.004, shares } : { mean_interval: [2.86, 3.14], std_interval: [0.52, 0.64] };
  return [
    {
      name: "top",
      description: `peak of ${HOSTILE}`,
      unit: "m/s",
      nominal: 3.1,
      nominal_output_error: 1e-4,
      ...numbers,
      ...errors,
      curves: curves(0),
    },
    {
      name: "still",
      description: "final value of tip.position.y",
      unit: "m",
      nominal: 0,
      nominal_output_error: 0,
      ...numbers,
      ...errors,
      mean: 0,
      std: 0,
      curves: null,
    },
    ...(chaos
      ? []
      : [
          {
            name: "late",
            description: "first crossing of 1 by tip.position.x",
            unit: "s",
            nominal: null,
            nominal_output_error: 0,
            ...numbers,
            ...errors,
            probability: [0.5, 0.37, 0.63],
            curves: curves(0.5),
          },
        ]),
  ];
}

const escape = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");

/** The template filled as `tumble report` fills it. */
export function makePage(variants, extra = {}) {
  const blob = new Blob();
  const report = { format: 1, generator: "tumble 0.1.0", studies: variants.map((variant) => makeStudy(blob, variant)), ...extra };
  if (extra.sweep !== undefined) report.sweep = makeSweep(blob, extra.sweep);
  const parts = {
    "<!--tumble:title-->": escape(report.sweep?.title ?? report.studies[0]?.title ?? "out/case4"),
    "/*tumble:report*/": JSON.stringify(report).replaceAll("<", "\\u003c"),
    "/*tumble:blob*/": Buffer.concat(blob.parts).toString("base64"),
  };
  const template = readFileSync(fileURLToPath(new URL("../dist/report.html", import.meta.url)), "utf8");
  return Object.entries(parts).reduce((page, [place, text]) => page.replace(place, () => text), template);
}
