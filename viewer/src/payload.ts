// What `tumble report` puts into the page, as types. The C++ side writes this in
// src/tumble/report; the tests of both sides read the same fixture.
//
// The page holds one JSON object, of type Report, in <script id="tumble-report" type="application/json">
// and one block of bytes, base64, in <script id="tumble-blob" type="text/plain">. Arrays of numbers
// are not in the JSON: an ArrayRef says where in the block they are. Bytes are little-endian, every
// array starts at a multiple of 8, and arrays are stored with the last index running fastest. NaN
// means that there is no value.

/** An array in the block of bytes. `shape` [3, 4] means 3 rows of 4. */
export interface ArrayRef {
  at: number; // offset in bytes
  type: "f64" | "f32" | "i32" | "u8";
  shape: number[];
}

export interface Report {
  format: 1;
  generator: string; // "tumble 0.1.0"
  studies: Study[]; // one; several where studies are compared; none of a sweep
  sweep?: Sweep; // in place of studies
  identification?: Identification; // the same
  figure?: PaperFigure; // the page shows this figure alone, and studies hold no more than it shows
  live?: { status: string }; // page served by `tumble view`: address of the study's status, relative
}

/** A figure of a paper, made again: heading, caption and views in place of all sections. */
export interface PaperFigure {
  paper: string; // "Batou & Soize (2012)"
  number: string; // "11"
  title: string; // in few words
  caption: string;
  notes: string[]; // what differs from the paper
  views: PaperView[];
}

interface OneStudy {
  study?: number; // index into studies; left out: the first, or all where studies are laid over each other
  title?: string; // above the view
}

/** Axes by their names. `from_start`: what has been added since t = 0, a displacement for a position. */
export type PaperView = OneStudy &
  (
    | { kind: "response"; probe: string; quantity: string; axis: string; from_start?: boolean }
    | { kind: "input"; path: string }
    | { kind: "points"; x: string; y: string } // two inputs against each other
    | { kind: "field"; field: string } // its realisations
    | { kind: "field-error"; fields: string[] } // error of the variance along beams
    | { kind: "mean"; probe: string; quantity: string; axes: string[]; from_start?: boolean } // of all studies
    | { kind: "covariance"; probe: string; quantity: string; entries: [string, string][] } // of all studies
    | { kind: "principal-std"; probe: string; quantity: string } // of all studies
    | PlaneView
  );

/** Positions seen in a plane of two axes ("xy"), or all three obliquely ("space"), with ellipses of the spread. */
export type PlaneView = OneStudy & {
  quantity: string;
  plane: string;
  sigmas?: number; // of the ellipses; 1 if left out
  window?: [number, number, number, number]; // left, right, bottom, top, m: a part of the picture
} & (
    | { kind: "track"; probe: string; times?: number[] } // path, with ellipses at these times
    | { kind: "configurations"; lines: string[][]; times: number[]; spread?: boolean } // lines through probes, at these times
  );

/** Studies of one model with other values of some fields: all combinations, the last parameter varies fastest. */
export interface Sweep {
  label: string; // the directory's name
  title: string; // of the model, or its file's name
  summary: SweepSummary;
  parameters: SweepParameter[];
  points: { realizations: number; failed: number; failure: string }[]; // failure: why there are no numbers, or ""
  time: ArrayRef; // f64 [time], s
  times_computed: number; // of which those are a part where there are many
  responses: SweepResponse[];
  widest: { response: number; axis: number; row: number } | null; // where the spread is largest relative to the response's size
  start_statistic: string; // shown at first
}

export interface SweepSummary {
  file: string;
  method: string; // empty: not the same at all points
  realizations: number; // of all points
  failed: number;
  seed: number | null; // null: not the same at all points
  common_numbers: boolean; // draws of all points come from the same random numbers
  version: string;
  model_sha256: string;
  command: string; // "" in old results
  wall_time: number; // s
  threads: number;
  warnings: string[];
}

/** Fields that take the same value at each point. */
export interface SweepParameter {
  paths: string[];
  unit: string; // "" where it is not known
  values: string[]; // as they were written
  numbers: number[] | null; // null: some value is no number
}

export interface SweepResponse {
  probe: string;
  quantity: string;
  unit: string;
  axes: string[]; // [""] for a scalar
  statistics: SweepStatistic[];
}

export interface SweepStatistic {
  name: string; // "standard deviation"
  over_time: boolean;
  unit?: string; // where it is not that of the response
  value: ArrayRef; // f32 [point, time, axis], or [point, axis] where it is not over time
  band: string; // what lies between the ends: "95 % interval"
  lower?: ArrayRef; // ends of the band, if errors are known
  upper?: ArrayRef;
}

/** What the address in `live` answers; what is left out is not shown. */
export interface LiveStatus {
  done?: boolean; // the finished page is there: load it
  finished?: number; // realisations so far
  realizations?: number; // of so many
  failed?: number;
  rate?: number; // per second
  remaining?: number; // s
}

export interface Study {
  label: string; // short name, unique in the report: the directory's
  title: string; // of the model, or its file's name
  summary: Summary;
  time: ArrayRef; // f64 [time], s
  breaks: ArrayRef; // f64 [break], s: instants where drives jump
  quantiles: number[]; // probabilities; the first and the last enclose the confidence region
  curves: Curve[];
  quantities?: QuantityOfInterest[]; // scalars of the runs
  bands?: Band[]; // responses over frequency
  realizations: Realizations | null; // null: a single run
  inputs: Input[];
  correlations: ArrayRef | null; // f64 [input, input], of all realisations that ended well
  convergence: Convergence | null;
  chaos: Chaos | null;
  sensitivity?: Sensitivity | null;
  variability?: Variability;
  excitation?: Excitation;
  reliability?: Reliability;
  multilevel?: Multilevel;
  worst_case?: WorstCase;
  fields: Field[];
  trust: Trust;
  scene: Scene | null;
}

/** How probable it is that a quantity passes a limit. */
export interface ProbabilityEstimate {
  probability: number | null;
  lower: number | null; // null: an approximation
  upper: number | null;
  cv: number | null; // standard error over estimate
  runs: number | null;
}

export interface Reliability {
  method: string; // "monte-carlo", "subset", "importance", "form", "sorm"
  quantity: string;
  side: string; // "above", "below"
  limit: number;
  unit: string;
  confidence: number;
  estimate: ProbabilityEstimate;
  index: number | null; // reliability index
  output_lower: number | null; // if all values were wrong by their output errors
  output_upper: number | null;
  failed: number | null;
  thresholds: (number | null)[]; // of the levels of subset simulation, in the unit of the quantity
  conditional: (number | null)[]; // probability of each, given the one before
  replicas: (number | null)[];
  cross_check: (ProbabilityEstimate & { method: string }) | null;
  design_points: { index: number | null; germs: { name: string; germ: number | null; share: number | null }[] }[]; // the nearest first
}

export interface Summary {
  file: string; // name of the model file, no directories
  method: string; // as in study.method; "nominal" for a single run, "sweep"
  realizations: number; // 0: a single run
  failed: number;
  seed: number | null;
  confidence: number | null; // P_c
  version: string;
  model_sha256: string;
  command: string; // reproduces the results
  wall_time: number; // s
  computed?: number; // realisations, in the wall time; the others were there before
  rate: number | null; // computed realisations per second
  threads: number;
  ranks: number;
  bodies: number;
  beams: number;
  joints: number;
  forces: number;
  degrees_of_freedom: number;
  duration: number; // s
  step: number; // s; 0 where an accuracy was asked for
  accuracy?: number; // in place of the step: error over peak
  widest: Widest | null; // the largest uncertainty
  energy_mismatch: EnergyMismatch | null; // null: not in the results
  warnings: string[]; // sentences
}

/** What accounts of energy cannot explain, over the largest energy exchanged; a run fails at 0.1. */
export interface EnergyMismatch {
  nominal: number;
  largest: number | null; // of the realisations that count; null: there are none
  realization: number | null; // which has it
}

/** Where the spread is largest relative to the size of the response. */
export interface Widest {
  curve: number; // index into curves
  axis: number;
  time_index: number;
  std: number;
  mean: number;
  relative: number; // std over the largest |mean| of any axis of that curve
}

export interface Curve {
  probe: string;
  quantity: string; // "acceleration"
  description: string; // "of the point, ground axes"
  unit: string;
  axes: string[]; // ["x", "y", "z"]; [""] for a scalar
  nominal: ArrayRef; // f64 [time, axis]; left limits at breaks
  nominal_right?: ArrayRef; // f64 [break, axis]
  mean?: ArrayRef; // f64 [time, axis]
  std?: ArrayRef;
  mean_se?: ArrayRef; // standard error (sampling)
  std_se?: ArrayRef;
  mean_error?: ArrayRef; // bound of the error (chaos): with Trust.interval_confidence where it was measured, a guess elsewhere
  std_error?: ArrayRef;
  time_error?: ArrayRef; // estimated error of the time integration, root mean square over realisations
  mean_time_error?: ArrayRef; // of the mean; single runs have none
  chaos_error?: ArrayRef; // share of variance the polynomials miss, [time, axis]
  chaos_error_lower?: ArrayRef; // ends of its interval, if it was measured
  chaos_error_upper?: ArrayRef;
  more?: { name: string; unit: string; values: ArrayRef }[]; // other statistics by their names, f64 [time, axis]
  quantile?: ArrayRef; // f64 [quantile, time, axis]
  quantile_lower?: ArrayRef; // ends of the 95 % intervals of the quantiles
  quantile_upper?: ArrayRef;
  intervals?: (number | null)[][]; // by axis, where the std is largest: ends of the intervals of mean and std
  region_lower?: ArrayRef; // of another region than that of the quantiles: Trust.region
  region_upper?: ArrayRef;
  cov?: ArrayRef; // f64 [time, axis, axis]
  principal_std?: ArrayRef; // f64 [time, principal]
  principal_axes?: ArrayRef; // f64 [time, principal, axis]
  sobol_group?: ArrayRef; // f64 [group, time, axis], shares of groups alone
  sobol_first?: ArrayRef; // f64 [germ, time, axis]
  sobol_total?: ArrayRef;
  sobol_group_total?: ArrayRef; // f64 [group, time, axis], shares that groups take part in
  shapley?: ArrayRef; // f64 [group, time, axis], Shapley effects
  morris_mean_abs?: ArrayRef; // f64 [germ, time, axis], in the unit of the curve
  dvrf?: ArrayRef; // f64 [wave number, time, axis], variability response
  variance?: ArrayRef; // f64 [time, axis], by the spectrum
  variance_bound?: ArrayRef;
  check_std?: ArrayRef; // f64 [2, time, axis], of runs with Gaussian and lognormal fields
  bound_lower?: ArrayRef; // f64 [time, axis], worst case: of the polynomials over the box
  bound_upper?: ArrayRef;
  bound_error?: ArrayRef; // largest deviation of a run that the fit has not seen
  inclusion_lower?: ArrayRef; // the polynomials are nowhere beyond
  inclusion_upper?: ArrayRef;
  found_min?: ArrayRef; // of all runs
  found_max?: ArrayRef;
  samples?: ArrayRef; // f32 [sample, time, axis]: selected realisations, Scene.samples names them
  densities?: DensityCurve[];
  peak_max?: ArrayRef; // f64 [shown realisation, axis]: largest value over time
  peak_min?: ArrayRef;
}

/** Kernel estimate of the density of one component at one time. */
export interface DensityCurve {
  time: number;
  axis: number;
  bandwidth: number;
  x: ArrayRef; // f64 [point], in the unit of the curve
  density: ArrayRef; // f64 [point]
  exact?: ArrayRef;
}

/** A scalar of every run. What is left out or null is not known. */
export interface QuantityOfInterest {
  name: string;
  description: string; // "peak of tip.velocity.z"
  unit: string;
  nominal: number | null; // null: it does not happen, or is no number
  nominal_output_error: number | null;
  // Of a study:
  count?: number; // values that statistics rest on
  mean?: number;
  mean_error?: number; // standard error; of polynomial chaos the largest error to be expected
  mean_interval?: [number | null, number | null];
  std?: number;
  std_error?: number;
  std_interval?: [number | null, number | null];
  mean_output_error?: number; // because outputs are apart
  time_error?: number; // of the time integration, root mean square over realisations
  mean_time_error?: number;
  chaos_error?: number; // share of the variance that the polynomial misses
  // Of its variance by random input, each with the ends of its interval.
  shares?: { name: string; alone: (number | null)[]; total: (number | null)[] }[];
  // Of what may not happen, with its interval; other numbers are on condition that it does.
  probability?: [number | null, number | null, number | null];
  quantiles?: [number, number | null, number | null, number | null][]; // probability, quantile, ends of its interval; ascending
  curves?: null | {
    // null: all values are equal
    abscissa: ArrayRef; // f64 [point]
    density: ArrayRef;
    density_se?: ArrayRef;
    exceedance: ArrayRef; // of what may not happen not conditional
    exceedance_lower?: ArrayRef; // ends of intervals, at each point by itself
    exceedance_upper?: ArrayRef;
  };
}

/** The answer to a harmonic input over its frequency, and of a study how it is distributed. */
export interface Band {
  name: string;
  description: string; // "gain of tip.position.z by shake of amplitude 1"
  unit: string;
  frequency: ArrayRef; // f64 [frequency], Hz, ascending
  nominal: ArrayRef;
  // Of a study:
  mean?: ArrayRef;
  mean_error?: ArrayRef;
  std?: ArrayRef;
  quantiles: { probability: number; value: ArrayRef; lower?: ArrayRef; upper?: ArrayRef }[]; // ascending; ends of intervals
}

/** At most some thousand realisations; failed ones are never left out first. */
export interface Realizations {
  shown: ArrayRef; // i32 [shown]: their numbers
  status: ArrayRef; // u8 [shown]: 0 ok, 1 failed, 2 inadmissible
  failure_time: ArrayRef; // f64 [shown], s
}

export interface Input {
  path: string; // "bodies.rb5.mass"
  unit: string;
  law: string; // in words: "gamma, mean 3000, cv 0.5"; "" when not known
  nominal: number;
  values: ArrayRef; // f64 [shown]
  edges: ArrayRef; // f64 [bin + 1]: histogram of all realisations; empty for points of polynomial chaos
  counts: ArrayRef; // i32 [bin]
  density?: { x: ArrayRef; y: ArrayRef }; // exact density where it is known
  parameters: [string, string][]; // solved parameters of the law, ready to print
}

export interface Convergence {
  n: ArrayRef; // f64 [point]: numbers of realisations
  curves: {
    curve: number;
    axis: number; // -1: norm over axes and time (the paper's mean-square curve)
    mean?: ArrayRef; // f64 [point], of the largest size over time, max |x(t)|
    mean_se?: ArrayRef; // of the mean, or of mean_square
    quantile?: ArrayRef; // f64 [quantile, point]
    mean_square?: ArrayRef;
  }[];
}

export interface Chaos {
  method: string; // "tensor grid of 36 Gauss points"
  error_method: string;
  germ: string[];
  group: string[]; // random inputs, germs that belong together as one; empty in old results
  polynomials: string[];
  terms: number;
  degree: number;
}

/** Which random inputs the variance comes from. Over time the curves have it. */
export interface Sensitivity {
  method: string; // "pick-freeze", "shapley", "morris"
  block: number; // runs in a block
  blocks: number; // that indices rest on
  dropped: number; // blocks of which a run failed
  factors: string[];
  // By component, over the whole run: of each factor its share with the ends of its interval.
  alone: { curve: number; axis: number; shares: (number | null)[][] }[];
  total: { curve: number; axis: number; shares: (number | null)[][] }[];
}

/** Waves of a beam's flexibility. What they do over time, the curves have. */
export interface Variability {
  wave_numbers: number[]; // rad/m
  std: number; // of the flexibility over its mean
  spectrum: string; // in words
  beyond: number; // share of the spectrum beyond the last wave number
}

/** Random drives, in every realisation another function of time. */
export interface Excitation {
  drives: RandomDrive[];
  numbers_vary: boolean; // some of their numbers are uncertain; what is here has the nominal ones
}

export interface RandomDrive {
  name: string;
  type: string; // "road", "white_noise", "spectrum"
  unit: string; // "" where the file does not tell
  std: number;
  band: [number, number]; // Hz
  germs: number; // random numbers in a realisation
  profiles_behind: number; // realisations behind the spectrum
  time: ArrayRef; // f64 [point], s
  profiles: ArrayRef; // f32 [realisation, point], the first ones
  frequency: ArrayRef; // f64 [band], Hz
  target: ArrayRef; // f64 [band], one-sided density per Hz
  sample: ArrayRef;
  lower: ArrayRef; // between these lie 95 % of such samples
  upper: ArrayRef;
}

/** Bounds of the response for inputs known by intervals only; those over time are in the curves. */
export interface WorstCase {
  fit: string; // how polynomials were fitted; "" if they could not be
  kept_out: number; // runs that the fit has not seen, which errors rest on
  runs: number[]; // of the fit, kept out of it, at extremes of polynomials, of searches
  inputs: string[]; // parameter paths
  interval_lower: number[]; // by input
  interval_upper: number[];
  quantities: {
    name: string;
    unit: string;
    bound_lower: number | null;
    bound_upper: number | null;
    bound_error: number | null;
    inclusion_lower: number | null;
    inclusion_upper: number | null;
    found_min: number | null;
    found_max: number | null;
    found_min_realization: number | null;
    found_max_realization: number | null;
    searched_min: number | null; // null: there was no search
    searched_max: number | null;
    found_min_inputs: number[]; // by input; empty: no run has a value
    found_max_inputs: number[];
  }[];
}

/** Multilevel Monte Carlo of one quantity of interest; lists are by level. */
export interface Multilevel {
  quantity: string;
  statistic: string; // "mean" or "variance": what the target, the differences and the variances are of
  target: number;
  met: boolean;
  estimates: {
    statistic: string;
    unit: string;
    value: number | null;
    statistical_error: number | null;
    bias: number | null;
    error: number | null;
    order: number | null;
  }[]; // mean, variance
  step: number[];
  elements: number[];
  pairs: number[];
  failed: number[];
  work: number[];
  difference: number[];
  difference_se: number[];
  pair_variance: number[];
  gain: number | null;
  plain_runs: number | null;
  plain_level: number | null;
  seconds: number | null;
  plain_seconds: number | null;
}

export interface Field {
  name: string; // "arm.poisson_ratio"
  unit: string;
  method: string; // "EOLE, 2 terms"
  place: ArrayRef; // f64 [place], m along the beam
  mean: ArrayRef;
  std: ArrayRef;
  variance_error: ArrayRef; // relative, [place]
  samples: ArrayRef; // f32 [sample, place]
}

export interface Trust {
  steps: number;
  iterations: number; // Newton iterations of the nominal run
  factorizations: number;
  restarts: number;
  halvings: number;
  constraint_drift: number; // largest |position constraint|, m or rad
  energy: null | {
    time: ArrayRef; // f64 [point]
    kinetic: ArrayRef; // J
    potential: ArrayRef; // gravity
    elastic: ArrayRef;
    work: ArrayRef | null; // from outside since t = 0: total - initial total - work = 0; null: not known
  };
  failures: { realization: number; time: number; reason: string }[];
  notes?: string[]; // what errors rest on, what the region holds, on what condition statistics stand
  region?: string; // "quantile", "tolerance", "simultaneous", "chebyshev"; "" where nothing says it
  region_shortfall?: string; // why it has no ends, if too few realisations succeeded
  interval_confidence?: number;
}

export interface Scene {
  time: ArrayRef; // f64 [frame], s
  gravity: [number, number, number];
  samples: number[]; // realisations shown as ghosts
  drawn: boolean; // true (polynomial chaos): ghosts and mean are draws of the laws, numbered from 0, not points of the study
  mean_of: number; // realisations that the mean motion is the mean of; 0: no mean motion
  low: [number, number, number]; // box that holds the nominal motion, m
  high: [number, number, number];
  bodies: SceneBody[];
  beams: SceneBeam[];
  joints: SceneJoint[];
  springs: SceneSpring[];
  loads: SceneLoad[];
  marks: SceneMark[];
}

export type Shape =
  | { type: "box"; size: [number, number, number]; center: [number, number, number] }
  | { type: "sphere"; radius: number; center: [number, number, number] }
  | { type: "cylinder"; radius: number; length: number; axis: [number, number, number]; center: [number, number, number] }
  | { type: "mesh"; vertices: ArrayRef; triangles: ArrayRef } // f32 [vertex, 3], i32 [triangle, 3]
  | { type: "point" };

/** Poses: position of the body's reference point (m, ground axes) and quaternion (w, x, y, z). */
export interface SceneBody {
  name: string;
  shapes: Shape[]; // in body axes about the reference point
  given: boolean; // false: no shape in the model, the box has the body's mass and inertia
  random: boolean; // some number of it is uncertain
  nominal: ArrayRef; // f32 [frame, 7]
  mean?: ArrayRef; // f32 [frame, 7]
  samples?: ArrayRef; // f32 [sample, frame, 7]
}

/** Stations along the centre line; at each the position (m) and the derivatives along the section's axes, ground axes. */
export interface SceneBeam {
  name: string;
  section:
    | { type: "rectangle"; height: number; width: number }
    | { type: "circle"; radius: number }
    | { type: "outline"; points: [number, number][] };
  random: boolean;
  nominal: ArrayRef; // f32 [frame, station, 9]: r, dr/dy, dr/dz (near unit vectors)
  mean?: ArrayRef;
  samples?: ArrayRef; // f32 [sample, frame, station, 9]
}

/** A point of a body (index into bodies), of a beam's station, or of the ground. */
export type Anchor =
  | { on: "ground"; point: [number, number, number] }
  | { on: "body"; body: number; point: [number, number, number] } // body axes
  | { on: "beam"; beam: number; station: number };

export interface SceneJoint {
  name: string;
  type: string; // "revolute", "spherical", ...; one that the page does not know is drawn as an octahedron
  at: Anchor;
  axis: [number, number, number] | null; // in the axes of the anchor's body or of the ground
}

/** What has two ends. A type that the page does not know is drawn as a straight line. */
export interface SceneSpring {
  name: string;
  type: string; // "spring", "bushing", "torsion_spring", "cable", contacts; "distance" for a massless rod
  ends: [Anchor, Anchor];
  surface?: SceneSurface | null; // of contacts and tyres: drawn in place of a line
}

/** What something touches, fixed where `at` is; axes and points in the axes of that body. */
export type SceneSurface =
  | { kind: "plane"; at: Anchor; axis: [number, number, number] }
  | { kind: "sphere"; at: Anchor; radius: number }
  | { kind: "cylinder"; at: Anchor; axis: [number, number, number]; radius: number; length: number | null } // null: without end
  | { kind: "height_field"; at: Anchor; rows: number; columns: number; points: [number, number, number][] }; // from `at` on, by rows

/** A force that acts at one place: "applied", "point_load", "line_load" (in the beam's middle), or a type not known here. */
export interface SceneLoad {
  name: string;
  type: string;
  at: Anchor;
}

/** A probe's point; `curve` is its position among the curves, -1 when not probed. */
export interface SceneMark {
  probe: string;
  at: Anchor;
  curve: number;
}

/** What was found from measurements; numbers are few and stand here. */
export interface Identification {
  label: string;
  title: string;
  method: string; // "identification" or "identification-bayes"
  likelihood: string; // "marginal", "gaussian", "kernel" or "exact"
  level: number; // of the intervals
  runs: number;
  failed: number;
  experiments: number;
  file: string;
  command: string;
  version: string;
  model_sha256: string;
  warnings: string[];
  log_likelihood: number;
  log_likelihood_error: number;
  ess: number | null; // null: there was no ensemble
  ess_experiment: (number | null)[];
  parameters: IdentifiedParameter[];
  observations: IdentifiedObservation[];
}

export interface IdentifiedParameter {
  path: string;
  at_bound: number; // 0 no end of the interval, 1 the lower, 2 the upper, 3 both
  degrees: number; // of freedom of the chi-square law
  estimate: number;
  estimate_error: number | null; // errors: of a finite ensemble, one sigma
  lower: number;
  lower_error: number | null;
  upper: number;
  upper_error: number | null;
  standard_error: number | null;
  posterior_mean?: number;
  posterior_std?: number;
  posterior_lower?: number;
  posterior_upper?: number;
  r_hat?: number;
  posterior_ess?: number;
  profile_at: (number | null)[];
  profile: (number | null)[];
  bootstrap?: number[];
}

export interface IdentifiedObservation {
  name: string;
  unit: string;
  time: number | null;
  noise: number;
  data: (number | null)[]; // one an experiment
  before: number[]; // three quantiles of what would be measured, with the file's own values
  after: number[]; // the same with the estimate
}
