// The study in words and numbers.
import { copyButton, facts } from "./controls";
import { el } from "./dom";
import { instant, integer, list, number, percent, plural, quantity, span } from "./format";
import { axisName, confidence, type Context, isMeasured, type Section } from "./page";
import type { Study } from "./payload";

const METHODS: Record<string, string> = {
  nominal: "a single run",
  "monte-carlo": "Monte Carlo sampling",
  "latin-hypercube": "Latin hypercube sampling",
  sobol: "a Sobol’ sequence",
  chaos: "polynomial chaos",
  sensitivity: "blocks of draws that share random numbers",
  "variability-response": "variability response",
  reliability: "reliability",
  multilevel: "multilevel Monte Carlo",
  "worst-case": "worst case over intervals",
  table: "a table of given inputs",
  sweep: "a sweep",
};

export const methodName = (method: string): string => METHODS[method] ?? method;

function widestSentence(study: Study, times: ArrayLike<number>): string {
  const widest = study.summary.widest;
  if (!widest) return "";
  const curve = study.curves[widest.curve];
  const time = instant(times[widest.time_index]);
  return (
    `The widest uncertainty is in ${axisName(curve, widest.axis)} at t = ${time}: ` +
    `the standard deviation is ${quantity(widest.std, curve.unit, 3)}, ${percent(widest.relative, 2)} of the largest mean.`
  );
}

/** What the shaded regions of all curves hold. */
function regionSentence(study: Study): string {
  const share = confidence(study);
  if (share === null) return "";
  const sure = percent(study.trust.interval_confidence ?? 0.95);
  const shortfall = study.trust.region_shortfall;
  if (shortfall) return `${shortfall[0].toUpperCase()}${shortfall.slice(1)}.`;
  switch (study.trust.region) {
    case "tolerance":
      return `At each time the shaded regions hold ${percent(share)} of all machines, with a confidence of ${sure}.`;
    case "simultaneous":
      return (
        `The shaded bands hold the whole trajectories of ${percent(share)} of all machines, each component by ` +
        `itself, with a confidence of ${sure}.`
      );
    case "chebyshev":
      return (
        `The shaded regions are those of Chebyshev’s inequality: whatever their law, at least ${percent(share)} ` +
        `of all machines are in them at each time if mean and standard deviation are right.`
      );
    default:
      return (
        `The shaded regions hold ${percent(share)} of the ` +
        `responses${study.summary.method === "chaos" ? "" : " computed"} at each time.`
      );
  }
}

/** How well energy is accounted for, in all that the page shows. */
function energySentence(study: Study): string {
  const mismatch = study.summary.energy_mismatch;
  if (!mismatch) return "";
  // What is left of a sum of rounded numbers is no measure of anything.
  const closes = (share: number): string => (share < 1e-4 ? `less than ${percent(1e-4)}` : percent(share, 2));
  const nominal = `The account of energy closes to ${closes(mismatch.nominal)} of the energy exchanged`;
  const fails = `a run fails at ${percent(0.1)}`;
  if (mismatch.largest === null) return `${nominal}; ${fails}.`;
  return (
    `${nominal} in the nominal run and to ` +
    `${closes(mismatch.largest)}${mismatch.largest < 1e-4 ? "" : " or better"} in every realisation that counts; ${fails}.`
  );
}

/** The sentences at the top of the page. */
export function sentences(study: Study, times: ArrayLike<number>): string[] {
  const s = study.summary;
  const parts = list([
    ...(s.bodies ? [plural(s.bodies, "body", "bodies")] : []),
    ...(s.beams ? [plural(s.beams, "beam")] : []),
    ...(s.joints ? [plural(s.joints, "joint")] : []),
    ...(s.forces ? [plural(s.forces, "force")] : []),
  ]);
  const steps = s.accuracy ? `with steps found for an accuracy of ${percent(s.accuracy, 2)}` : `in steps of ${instant(s.step)}`;
  const motion = s.duration > 0 ? `followed for ${instant(s.duration)} ${steps}` : "looked at as it starts, without a motion";
  const out = [
    `The model has ${parts || "no elements"}, with ` +
      `${plural(s.degrees_of_freedom, "degree of freedom", "degrees of freedom")}; it was ${motion}.`,
  ];
  if (s.realizations > 0) {
    const drawn =
      s.method === "chaos"
        ? `${plural(s.realizations, "run")} at chosen inputs gave the polynomial ` +
          `chaos${isMeasured(study) ? " and its errors" : "; its errors were not measured"}`
        : s.method === "variability-response"
          ? `${plural(s.realizations, "run")} with waves of a beam’s flexibility, and with random fields, gave the variability response`
          : s.method === "reliability"
            ? `${plural(s.realizations, "run")} at points that the method asked for gave the probability of passing a limit`
            : s.method === "multilevel"
              ? `${plural(s.realizations, "run")} on ${study.multilevel?.step.length ?? 0} grids made a multilevel estimate`
              : s.method === "worst-case"
                ? `${plural(s.realizations, "run")} in the box of the intervals gave bounds of the response`
                : `${integer(s.realizations)} ${s.realizations === 1 ? "machine was" : "machines were"} drawn by ${methodName(s.method)}`;
    const failed = s.failed === 0 ? "none failed" : `${integer(s.failed)} failed (${percent(s.failed / s.realizations, 2)})`;
    out.push(`${drawn}; ${failed}.`);
    out.push(regionSentence(study));
    out.push(widestSentence(study, times));
  } else {
    out.push("Nothing in this run is random.");
  }
  out.push(energySentence(study));
  return out.filter(Boolean);
}

/** How fast, and of how many: after --resume the time is that of a part. */
function rateNote(study: Study): string {
  const { realizations, computed, rate } = study.summary;
  if (!rate) return "";
  const part = computed !== undefined && computed < realizations ? `the last ${integer(computed)} at ` : "";
  return `${part}${number(rate, 3)} per second`;
}

export function tile(value: string, name: string, note = "", alarm = false): HTMLElement {
  return el("div", alarm ? "tile alarm" : "tile", el("b", "", value), el("span", "", name), note && el("small", "", note));
}

export function summarySection(context: Context): Section {
  const { study } = context;
  const s = study.summary;
  const widest = s.widest;
  const tiles = el(
    "div",
    "tiles",
    s.realizations > 0 && tile(integer(s.realizations), s.method === "chaos" ? "runs" : "realisations", rateNote(study)),
    s.realizations > 0 && tile(integer(s.failed), "failed", s.failed ? "marked among the inputs" : "", s.failed > 0),
    widest && tile(percent(widest.relative, 2), "widest spread", `${axisName(study.curves[widest.curve], widest.axis)}`),
    tile(span(s.wall_time), "wall time", `${plural(s.threads, "thread")}${s.ranks > 1 ? `, ${s.ranks} ranks` : ""}`),
    tile(
      integer(s.degrees_of_freedom),
      "degrees of freedom",
      list([...(s.bodies ? [plural(s.bodies, "body", "bodies")] : []), ...(s.beams ? [plural(s.beams, "beam")] : [])]),
    ),
  );
  const element = el(
    "section",
    { id: "summary", attributes: { "aria-label": "Summary" } },
    el("h1", "", study.title),
    el("p", "words", sentences(study, context.arrays.get(study.time)).join(" ")),
    el(
      "aside",
      { attributes: { "aria-label": "Where this comes from" } },
      facts([
        ["Model file", s.file],
        ["Method", methodName(s.method)],
        ...(s.seed === null ? [] : [["Seed", String(s.seed)] as [string, string]]),
        ...(s.confidence === null ? [] : [["Confidence", percent(s.confidence)] as [string, string]]),
        ["Version", s.version],
        ["Model SHA-256", el("span", { class: "hash", title: s.model_sha256 }, s.model_sha256.slice(0, 12))],
      ]),
      el(
        "div",
        "command",
        el("code", { attributes: { tabindex: "0", "aria-label": "Command that reproduces these results" } }, s.command),
        copyButton(() => s.command),
      ),
    ),
    tiles,
    s.warnings.length > 0
      ? el("ul", { class: "warnings", attributes: { "aria-label": "Warnings" } }, ...s.warnings.map((w) => el("li", "", w)))
      : null,
  );
  return { id: "summary", name: "Summary", element };
}
