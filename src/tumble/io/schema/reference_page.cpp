#include <variant>

#include "tumble/io/schema/reference_entries.hpp"
#include "tumble/io/schema/schema.hpp"

namespace tumble {
namespace {

const char* introduction = R"(# The model file

<!-- Made by reference_page() of src/tumble/io from the declarations of the elements; a test keeps
it equal. Change the declarations, not this page. -->

A model file is one YAML document: a mapping of the sections below. All numbers are in SI units,
angles in radians. Unknown and duplicate keys are mistakes; all mistakes of a file are reported in
one go, with line, element, field, value, unit and what was expected.

## Values

- **number**: a YAML number or an expression of `+ - * / ^`, parentheses, the functions sin, cos,
  tan, asin, acos, atan, atan2, sqrt, hypot, exp, tanh, log, abs, min, max, the constants pi and deg
  (= pi/180) and the file's own `constants`: `2 * pi * radius`, `30*deg`. A power binds more tightly than a
  sign and groups from the right: `-2^2` is -4, `2^3^2` is 512.
- **vector**: a list of three numbers.
- **name**: letters, digits, `_` and `-`, beginning with a letter or `_`; `ground` is reserved.
- **end**: the name of a body, `ground`, a marker as `body.marker` or `ground.marker`, or a node of a
  beam as `beam.start`, `beam.end` or `beam.node3`. A node also stands for a body where one is asked for.
- **rotation**, taking the axes of the thing described to those of the ground:
  - `[w, x, y, z]` or `{quaternion: [w, x, y, z]}`, scaled to unit length;
  - `{rotation_vector: [x, y, z]}`: axis times angle;
  - `{euler: [a, b, c], sequence: "123"}`: angles about moving axes, in the order of the sequence
    (`123`, `313`, `xyz`, ...);
  - `{x: [...], y: [...]}`: the x axis, and a vector in the plane of x and y.
- **inertia**: 3 principal values, 6 values (xx, yy, zz, xy, xz, yz) or 3 rows of 3. It must be the
  inertia of a solid: no principal value above the sum of the others (equal to it for a lamina, whose mass lies
  in a plane), all of them positive. `none` makes the body a point mass without rotation.
- **matrix**: 6 diagonal values or 6 rows of 6, in the order x, y, z, rx, ry, rz.
- **solid**: `{box: {size: [a, b, c], density: r}}`,
  `{cylinder: {radius: r, length: l, axis: z, density: r}}`,
  `{sphere: {radius: r, density: r}}` or `{mesh: {file: part.stl, scale: 0.001, origin: [x, y, z], density: r}}`,
  centred at the centre of mass, in body axes. With a density
  [kg/m^3] it gives the mass and, unless it is given, the inertia; without, it is for drawing only.
  A mesh is an STL or OBJ file, relative to the model file, of `scale` metres per unit; with a density it must be closed.
  If `origin` says where the origin of its coordinates is (ground axes at t = 0), mesh and density also give
  the body's `position`.
- **law**: a number k for k x; `{polynomial: [c0, c1, ...]}` for c0 + c1 x + c2 x^2 + ...;
  `{odd_polynomial: [c0, c1, ...]}` for c0 x + c1 |x| x + c2 |x|^2 x + ...; or
  `{table: ..., interpolation: cubic}` (`cubic` or `linear`).
- **table**: the name of a CSV file, relative to the model file, or `{x: [...], y: [...]}`; x must
  increase. A CSV file has two columns, may have a header line, and comments after `#`. Of one with more columns,
  `{file: motions.csv, columns: [time, left]}` takes two by the names in its header. `{results: out/results.nc, variable:
  tip_position_nominal, at: {axis: z}}` is a variable over time of a results file of this program; `at` chooses one entry
  of each other dimension, by its coordinate (`axis: z`, `quantile: 0.5`) or its number from 0 (`realization: 17`).
- **coordinate**: the name of a joint with one angle or displacement that suits, or that of a joint and one of
  its motions: `jack.rz`, `table.x`. Angles are counted through full turns; both are zero as described.
- **motions**: a mapping from some of x, y, z, rx, ry, rz to drives, like `{rz: motor}`.

Points are given in ground axes at t = 0 and are material points of their bodies from then on.

## Overrides

`--set PATH=VALUE` changes a value before the file is read: `--set bodies.rb5.mass=1500`,
`--set bodies.rb5.position[0]=0.55`, `--set simulation.step=1e-4`,
`--set uncertainty.rb5.mass.cv=0.3`. VALUE is YAML. Fields may be new, and so may entries of
`uncertainty`; other elements must exist. Every path that `tumble parameters` lists can be set.

## Limits

A file may have 16 MiB, 64 levels of nesting, a million values with aliases expanded, and 10 000
elements or constants a section; an expression 4096 characters and 100 levels; a table a million
rows.

## Sections

| section | holds |
|---|---|
| `title` | a text |
| `constants` | a mapping from names to numbers, which may refer to each other in any order |
| `gravity` | a vector [m/s^2], ground axes; zero if left out |
| `ground` | `{markers: {...}}`: named frames on the ground |
| `bodies` | a mapping from names to bodies; required unless there are beams |
| `beams` | a mapping from names to beams |
| `joints` | a mapping from names to joints |
| `couplers` | a mapping from names to couplers: gears, screws, belts between joints |
| `forces` | a mapping from names to force elements |
| `drives` | a mapping from names to functions of time |
| `probes` | a mapping from names to probes |
| `quantities` | a mapping from names to quantities of interest: scalars of a run |
| `simulation` | time span and solver settings; required |
| `uncertainty` | what varies from run to run: laws of bodies, of parameters, and dependence |
| `study` | an ensemble of runs with different numbers |
| `identification` | numbers that `tumble identify` finds from measurements |

`$schema` is ignored, so that an editor may be told of `share/model.schema.json`.
)";

const char* uncertainty_introduction = R"(
## Uncertainty

A mapping whose keys say what varies: the name of a body; a parameter path as `tumble parameters`
lists it; or a name of one's own for a variable that several parameters follow. A parameter follows one
law at most. Without a study the section changes nothing: a run is nominal.

<!-- run: with=tests/documents/bushings.yaml -->

```yaml
uncertainty:
  rb5:                                            # a body
    mass: {cv: 0.5}
    center_of_mass: {box: {center: [0.55, 0, 0.5], size: [0.5, 0.2, 0.02]}}
    inertia: {lambda_l: -5, lambda_u: -5, z_max: [9.61, 1.0, 0.0625]}
  forces.left.stiffness[2]: {law: normal, mean: 1e9, cv: 0.1}
  friction: {law: lognormal, mean: 0.8, std: 0.1, of: [forces.a.damping, forces.b.damping]}
  correlation: {variables: ["forces.left.stiffness[2]", friction], matrix: [[1, 0.4], [0.4, 1]]}
```

YAML wants quotes around a path with an index where it stands between brackets or braces.
`correlation` is a mapping or a list of mappings; no variable can have this name.
)";

const char* laws_introduction = R"(
### Parameters and variables

`law` names the distribution; its parameters stand beside it, in the unit of what follows it. Where a law
can be given in several ways, exactly one of them is used. `mean`, `std` and `cv` (`std` divided by the
absolute mean) are those of the number itself. A variable with a name of its own has also the key `of`, a
list of parameter paths that take its value.

A law on `bodies.X.mass` changes the mass alone; the random mass of a body scales the inertia too.
)";

/// Visitor of entries() that writes the rows of a table.
class RowVisitor {
 public:
  explicit RowVisitor(std::string& page) : page_(page) {
    page_ += "\n| field | value | unit | if left out | meaning |\n|---|---|---|---|---|\n";
  }
  template <class T>
  void operator()(const Entry& entry, const T& value) {
    page_ += fmt::format(
        "| `{}` | {}{} | {} | {} | {} |\n", entry.name, reference::form(entry, value),
        reference::range_text(entry.range), entry.unit,
        entry.required ? "**required**" : reference::default_text(entry, value), entry.doc);
  }

 private:
  std::string& page_;
};

template <class T>
void add_fields(std::string& page) {
  const T value{};
  RowVisitor visitor(page);
  T::entries(value, visitor);
}

template <class T>
void add_struct(std::string& page, std::string_view heading, std::string_view level = "##") {
  page += fmt::format("\n{} {}\n\n{}\n", level, heading, T::doc);
  add_fields<T>(page);
}

/// A part for each alternative; `heading` says how a file chooses it.
template <class... Kinds>
void add_kinds(std::string& page, fmt::format_string<const std::string_view&> heading,
               std::string_view level, const std::variant<Kinds...>*) {
  (add_struct<Kinds>(page, fmt::format(heading, Kinds::type), level), ...);
}

template <class... Kinds>
void add_elements(std::string& page, std::string_view heading,
                  const std::variant<Kinds...>* kinds) {
  page += fmt::format("\n## {}\n", heading);
  add_kinds(page, "`type: {}`", "###", kinds);
}

void add_uncertainty(std::string& page) {
  page += uncertainty_introduction;
  add_struct<BodyUncertainty>(page, "A body", "###");
  add_struct<MassUncertainty>(page, "Random mass", "####");
  add_struct<CentreUncertainty>(page, "Random centre of mass", "####");
  add_struct<InertiaUncertainty>(page, "Random inertia", "####");
  add_struct<ChainInput>(page, "Chain", "####");
  page += "\n### Regions\n\nIn ground axes at t = 0.\n";
  add_kinds(page, "`{}`", "####", static_cast<const Region*>(nullptr));
  add_struct<BeamUncertainty>(page, "A beam", "###");
  add_struct<FieldInput>(page, "Random field", "####");
  add_struct<SharedFieldInput>(page, "A field of several beams", "###");
  add_struct<BushingUncertainty>(page, "A bushing", "###");
  add_struct<MatrixUncertainty>(page, "Random matrix", "####");
  page += laws_introduction;
  add_kinds(page, "`law: {}`", "####", static_cast<const InputLaw*>(nullptr));
  add_struct<CorrelationInput>(page, "`correlation`", "###");
}

}  // namespace

std::string reference_page() {
  std::string page = introduction;
  add_struct<Body>(page, "Bodies");
  add_struct<Part>(page, "Parts", "###");
  add_struct<BoxPart>(page, "Box", "####");
  add_struct<CylinderPart>(page, "Cylinder", "####");
  add_struct<SpherePart>(page, "Sphere", "####");
  add_struct<MeshPart>(page, "Mesh", "####");
  add_struct<ModalPart>(page, "Modes", "###");
  add_struct<ModalNode>(page, "Nodes of flexible bodies", "###");
  add_struct<Marker>(page, "Markers");
  add_struct<Beam>(page, "Beams");
  add_struct<Arc>(page, "Arc", "###");
  add_struct<DampingRatios>(page, "Damping ratios", "###");
  add_struct<BeamSection>(page, "Section", "###");
  add_struct<RectangleSection>(page, "Rectangle", "####");
  add_struct<CircleSection>(page, "Circle", "####");
  add_struct<TubeSection>(page, "Tube", "####");
  add_struct<ISection>(page, "I", "####");
  add_struct<PolygonSection>(page, "Polygon", "####");
  add_struct<StiffnessSection>(page, "Stiffnesses", "####");
  add_elements(page, "Joints", static_cast<const JointKind*>(nullptr));
  add_struct<AngleStart>(page, "Start of a hinge", "###");
  add_struct<SlideStart>(page, "Start of a slider", "###");
  add_struct<AngleSlideStart>(page, "Start of a joint that turns and slides", "###");
  add_struct<CardanStart>(page, "Start of a Cardan joint", "###");
  add_struct<BallStart>(page, "Start of a ball joint", "###");
  add_struct<MotionStart>(page, "Start of free motions", "###");
  add_struct<LengthStart>(page, "Start of a rod", "###");
  add_struct<PlanarStart>(page, "Start of a motion in a plane", "###");
  add_elements(page, "Couplers", static_cast<const CouplerKind*>(nullptr));
  add_elements(page, "Forces", static_cast<const ForceKind*>(nullptr));
  add_elements(page, "Drives", static_cast<const DriveKind*>(nullptr));
  add_struct<StateVariable>(page, "States");
  add_struct<Event>(page, "Events");
  add_struct<Probe>(page, "Probes");
  page += "\n### Quantities\n\n| quantity | unit | of | meaning |\n|---|---|---|---|\n";
  for (const auto& q : quantity_table()) {
    std::string targets;
    const std::pair<ProbeTarget, const char*> all[] = {
        {ProbeTarget::body, "body"},    {ProbeTarget::beam, "beam"},
        {ProbeTarget::joint, "joint"},  {ProbeTarget::coupler, "coupler"},
        {ProbeTarget::force, "force"},  {ProbeTarget::state, "state"},
        {ProbeTarget::system, "system"}};
    for (const auto& [target, word] : all)
      if ((q.targets & target_bit(target)) != 0)
        targets += (targets.empty() ? "" : ", ") + std::string(word);
    page += fmt::format("| `{}` | {} | {} | {} |\n", q.name, q.unit, targets, q.doc);
  }
  add_struct<QuantityOfInterest>(page, "Quantities of interest");
  add_struct<Simulation>(page, "Simulation");
  add_uncertainty(page);
  add_struct<Study>(page, "Study");
  add_struct<DensityRequest>(page, "Densities", "###");
  add_struct<StoppingRequest>(page, "Stopping rule", "###");
  add_struct<ChaosRequest>(page, "Polynomial chaos", "###");
  add_struct<VariabilityRequest>(page, "Variability response", "###");
  add_struct<WaveNumbers>(page, "Wave numbers", "###");
  add_struct<SpectrumInput>(page, "Spectrum", "###");
  add_struct<SensitivityRequest>(page, "Sensitivity", "###");
  add_struct<ReliabilityRequest>(page, "Reliability", "###");
  add_struct<MultilevelRequest>(page, "Multilevel", "###");
  add_struct<MultilevelTarget>(page, "Target", "###");
  add_struct<LevelInput>(page, "Levels", "###");
  add_struct<WorstCaseRequest>(page, "Worst case", "###");
  add_struct<Identification>(page, "Identification");
  add_struct<FreeParameter>(page, "Free parameters", "###");
  add_struct<ObservationInput>(page, "Observations", "###");
  add_struct<IdentificationEnsemble>(page, "Ensemble", "###");
  add_struct<IntervalRequest>(page, "Intervals", "###");
  add_struct<BayesRequest>(page, "Bayes", "###");
  return page;
}

}  // namespace tumble
