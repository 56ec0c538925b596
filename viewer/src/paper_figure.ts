// A page of one figure of a paper: heading, caption, the figure itself, and how it was made.
import { el } from "./dom";
import { integer } from "./format";
import type { Context } from "./page";
import type { PaperFigure, PaperView, Study } from "./payload";
import type { Chart } from "./chart";
import { chartView } from "./paper_views";
import { planeView } from "./plane_view";
import { copyButton } from "./controls";
import { methodName } from "./summary";

export interface PaperPage {
  element: HTMLElement;
  charts: Chart[];
  destroy(): void;
}

function madeBy(study: Study): HTMLElement {
  const s = study.summary;
  const runs =
    s.realizations === 0
      ? "one run, nothing in it random"
      : s.method === "chaos"
        ? `polynomial chaos from ${integer(s.realizations)} runs`
        : `${integer(s.realizations)} realisations by ${methodName(s.method)}, seed ` +
          `${s.seed ?? "–"}${s.failed > 0 ? `, ${integer(s.failed)} failed` : ""}`;
  return el(
    "li",
    "",
    el("p", "", `${study.title}: ${runs}; version ${s.version}.`),
    el(
      "div",
      "command",
      el("code", { attributes: { tabindex: "0", "aria-label": "Command that reproduces these results" } }, s.command),
      copyButton(() => s.command),
    ),
  );
}

/** Studies that take part: all in views that lay them over each other, one in the others. */
function used(figure: PaperFigure, studies: Study[]): Study[] {
  const all = figure.views.some((view) => view.study === undefined && ["mean", "covariance", "principal-std"].includes(view.kind));
  return studies.filter((_, i) => all || figure.views.some((view) => (view.study ?? 0) === i));
}

export function paperFigure(context: Context, figure: PaperFigure): PaperPage {
  const charts: Chart[] = [];
  const endings: (() => void)[] = [];
  const make = (view: PaperView): HTMLElement => {
    const own: Context = { ...context, study: context.report.studies[view.study ?? 0] };
    const made = view.kind === "track" || view.kind === "configurations" ? planeView(own, view) : chartView(own, view);
    if ("chart" in made) charts.push(made.chart);
    endings.push(made.destroy);
    return el("div", "paper-view", view.title ? el("h2", "", view.title) : null, made.element);
  };
  const element = el(
    "section",
    { id: "figure", attributes: { "aria-labelledby": "figure-title" } },
    el("p", "lead", `Figure ${figure.number} of ${figure.paper}`),
    el("h1", { id: "figure-title" }, figure.title),
    el("p", "words", figure.caption),
    ...figure.views.map(make),
    figure.notes.length > 0
      ? el(
          "ul",
          { class: "warnings", attributes: { "aria-label": "What differs from the paper" } },
          ...figure.notes.map((note) => el("li", "", note)),
        )
      : null,
    el("ul", { class: "made", attributes: { "aria-label": "How it was made" } }, ...used(figure, context.report.studies).map(madeBy)),
  );
  return { element, charts, destroy: () => endings.forEach((end) => end()) };
}
