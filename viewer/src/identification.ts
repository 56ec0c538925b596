// An identification: parameters found from measurements, how sure they are, and what the model says before and after.
import { Chart } from "./chart";
import { copyButton, facts, table } from "./controls";
import { el } from "./dom";
import type { Figure } from "./figure";
import { integer, number, plural } from "./format";
import { section, type Section } from "./page";
import type { IdentifiedObservation, IdentifiedParameter, Identification } from "./payload";
import { tile } from "./summary";

const MOST_EXPERIMENTS = 200; // drawn

const percent = (share: number): string => `${number(100 * share, 4)} %`;
const withError = (value: number, error: number | null): string =>
  error && error > 0 ? `${number(value, 5)} ± ${number(error, 1)}` : number(value, 5);
const numbers = (values: (number | null)[]): number[] => values.map((v) => v ?? NaN);

/** What the interval says; the words that the program prints. */
export function verdict(p: IdentifiedParameter): string {
  if (p.at_bound === 0) return "";
  return p.at_bound === 3 ? "not identifiable: the interval reaches its bounds" : "not identifiable: the interval reaches its bound";
}

const likelihoodWords: Record<string, string> = {
  marginal: "the marginal likelihood: the law of the responses as the ensemble has it, with the noise of the sensors",
  gaussian:
    "a Gaussian likelihood: responses are taken for normally distributed. Where they are not, the estimate is another number " +
    "and its interval may be falsely narrow",
  kernel: "a density of the responses from kernels",
  exact: "the density of the inputs, which were measured themselves",
};

function summary(found: Identification): Section {
  const words = [
    `${plural(found.parameters.length, "parameter")} found from ${plural(found.experiments, "experiment")} by ` +
      `${likelihoodWords[found.likelihood] ?? found.likelihood}.`,
    found.runs > 0 ? `${integer(found.runs)} runs of the model stand behind it; errors after ± are those of so many runs, one sigma.` : "",
  ];
  const element = el(
    "section",
    { id: "summary", attributes: { "aria-label": "Summary" } },
    el("h1", "", found.title),
    el("p", "words", words.filter(Boolean).join(" ")),
    el(
      "aside",
      { attributes: { "aria-label": "Where this comes from" } },
      facts([
        ["Model file", found.file],
        ["Version", found.version],
        ["Model SHA-256", el("span", { class: "hash", title: found.model_sha256 }, found.model_sha256.slice(0, 12))],
      ]),
      found.command
        ? el(
            "div",
            "command",
            el("code", { attributes: { tabindex: "0", "aria-label": "Command that reproduces these results" } }, found.command),
            copyButton(() => found.command),
          )
        : null,
    ),
    el(
      "div",
      "tiles",
      tile(integer(found.experiments), "experiments"),
      tile(withError(found.log_likelihood, found.log_likelihood_error), "log likelihood"),
      found.ess === null ? null : tile(integer(Math.round(found.ess)), "effective draws"),
      found.runs > 0 ? tile(integer(found.failed), "failed runs", "", found.failed > 0) : null,
    ),
    found.warnings.length > 0
      ? el("ul", { class: "warnings", attributes: { "aria-label": "Warnings" } }, ...found.warnings.map((w) => el("li", "", w)))
      : null,
  );
  return { id: "summary", name: "Summary", element };
}

function estimates(found: Identification): Section {
  return section(
    "estimates",
    "Estimates",
    "Of maximum likelihood, with intervals from the profile of the likelihood.",
    el(
      "div",
      "card",
      table(
        "Estimates",
        ["parameter", "estimate", `${percent(found.level)} interval`, "standard error", ""],
        found.parameters.map((p) => [
          p.path,
          withError(p.estimate, p.estimate_error),
          `${withError(p.lower, p.lower_error)} … ${withError(p.upper, p.upper_error)}`,
          p.standard_error === null ? "" : number(p.standard_error, 3),
          verdict(p),
        ]),
        [1, 2, 3],
      ),
      found.parameters.some((p) => p.posterior_mean !== undefined)
        ? table(
            "Posterior",
            ["parameter", "mean", "std", `${percent(found.level)} interval`, "R-hat", "effective draws"],
            found.parameters.map((p) => [
              p.path,
              number(p.posterior_mean ?? NaN, 5),
              number(p.posterior_std ?? NaN, 3),
              `${number(p.posterior_lower ?? NaN, 5)} … ${number(p.posterior_upper ?? NaN, 5)}`,
              number(p.r_hat ?? NaN, 4),
              integer(Math.round(p.posterior_ess ?? 0)),
            ]),
            [1, 2, 3, 4, 5],
          )
        : null,
    ),
  );
}

/** The profile of one parameter, relative to its maximum. */
export function profileFigure(found: Identification, p: IdentifiedParameter): Figure {
  const at = numbers(p.profile_at).filter(Number.isFinite);
  const profile = numbers(p.profile).slice(0, at.length);
  return {
    file: `${found.label}-profile-${p.path}`,
    title: "log likelihood less its maximum, maximised over the other parameters",
    unit: "1",
    x: at,
    xLabel: p.path,
    xUnit: "1",
    areas: [],
    lines: [{ label: "profile", y: profile.map((v) => v - found.log_likelihood), color: "mean", width: 2 }],
    verticals: [
      { x: p.lower, label: `lower end${p.at_bound & 1 ? ", a bound" : ""}`, color: "now" },
      { x: p.estimate, label: "estimate", color: "now" },
      { x: p.upper, label: `upper end${p.at_bound & 2 ? ", a bound" : ""}`, color: "now" },
    ],
  };
}

/** Data of one unit, and what the model says it would be. */
export function bandFigure(found: Identification, observations: IdentifiedObservation[]): Figure {
  const quantile = (which: "before" | "after", i: number): number[] => observations.map((o) => o[which][i]);
  return {
    file: `${found.label}-bands-${observations[0].unit}`,
    title: "measured, and bands of what would be measured",
    unit: observations[0].unit || "1",
    x: observations.map((_, i) => i),
    xNames: observations.map((o) => o.name),
    xLabel: "observation",
    xUnit: "1",
    areas: [
      { label: "band before", lower: quantile("before", 0), upper: quantile("before", 2), color: 1, opacity: 0.18 },
      { label: "band after", lower: quantile("after", 0), upper: quantile("after", 2), color: "mean", opacity: 0.25 },
    ],
    lines: [
      { label: "median after", y: quantile("after", 1), color: "mean", width: 2, marks: true },
      ...Array.from({ length: Math.min(found.experiments, MOST_EXPERIMENTS) }, (_, e) => ({
        label: `experiment ${e + 1}`,
        y: numbers(observations.map((o) => o.data[e])),
        color: "now" as const,
        width: 1,
        opacity: 0.5,
        quiet: true,
        marks: true,
      })),
    ],
  };
}

export function identificationSections(found: Identification): Section[] {
  const profiles = found.parameters.map((p) => new Chart(profileFigure(found, p), { height: 240 }));
  const units = [...new Set(found.observations.map((o) => o.unit))];
  const bands = units.map(
    (unit) =>
      new Chart(
        bandFigure(
          found,
          found.observations.filter((o) => o.unit === unit),
        ),
        { height: 300 },
      ),
  );
  const twoDegrees = found.parameters.some((p) => p.degrees === 2);
  return [
    summary(found),
    estimates(found),
    {
      ...section(
        "profiles",
        "Profiles",
        `How much less likely the measurements are with other values. The ${percent(found.level)} interval is where the profile has not ` +
          `fallen by more than half a quantile of chi-square` +
          `${twoDegrees ? "; with two degrees of freedom where a parameter moves a support" : ""}.`,
        el("div", "grid two", ...profiles.map((chart) => el("div", "card", chart.element))),
      ),
      charts: () => profiles,
    },
    {
      ...section(
        "measurements",
        "Measurements",
        "What was measured, one thin line an experiment, and the bands in which measurements are expected: " +
          "with the values of the model file and with the estimate.",
        el("div", "grid two", ...bands.map((chart) => el("div", "card", chart.element))),
      ),
      charts: () => bands,
    },
  ];
}
