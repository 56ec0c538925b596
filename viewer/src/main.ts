// Puts the page together: the summary first, the other sections one after the other behind it.
import { readArrays, readReport } from "./arrays";
import { chaosSection } from "./chaos";
import { compareSection } from "./compare";
import { tabs } from "./controls";
import { curveSection, type CurvePanel } from "./curves";
import { bindKeys, TimeCursor } from "./cursor";
import { el, fill } from "./dom";
import { excitationSection } from "./excitation";
import { toCsv } from "./export";
import { toSvg } from "./figure_svg";
import { fieldSection } from "./fields";
import { identificationSections } from "./identification";
import { inputSection } from "./inputs";
import { liveBar } from "./live";
import { multilevelSection } from "./multilevel";
import type { Context, Section, SectionMaker } from "./page";
import { paperFigure, type PaperPage } from "./paper_figure";
import type { ArrayRef, PaperFigure, Report, Study, Sweep } from "./payload";
import { bandSection } from "./bands";
import { quantitySection } from "./quantities";
import { sceneSection, type ScenePanel } from "./scene/scene";
import { sensitivitySection } from "./sensitivity";
import { summarySection } from "./summary";
import { reliabilitySection } from "./reliability";
import { type SweepPage, sweepSections, sweepSummary } from "./sweep";
import { setTheme, startTheme, themeName, themeSwitch } from "./theme";
import { trustSection } from "./trust";
import { variabilitySection } from "./variability";
import { worstCaseSection } from "./worst_case";

/** Pages from a disk need no connection at all; only served ones may ask where they came from. */
function forbidConnections(): void {
  document.head.append(el("meta", { attributes: { "http-equiv": "Content-Security-Policy", content: "connect-src 'none'" } }));
}

/** After the browser has shown what is there; a hidden tab shows nothing, and is not waited for. */
const painted = (): Promise<void> =>
  new Promise((done) => {
    if (document.hidden) setTimeout(done);
    else requestAnimationFrame(() => setTimeout(done));
  });

/** Long enough for a click or a picture to come between. */
const rest = (): Promise<void> => new Promise((done) => setTimeout(done));

class Page {
  private readonly arrays = readArrays();
  private readonly navigation = el("nav", { attributes: { "aria-label": "Sections" } });
  private readonly main = el("main");
  private sections: Section[] = [];
  private context: Context | null = null;
  private paper: PaperPage | null = null;
  private sweep: SweepPage | null = null;
  ready: Promise<void> = Promise.resolve();

  constructor(private readonly report: Report) {
    const { studies } = report;
    const head = el(
      "header",
      "top",
      el("span", "brand", "tumble"),
      studies.length > 1 &&
        !report.figure &&
        tabs(
          "Study",
          studies.map((s) => s.label),
          0,
          (i) => void this.show(studies[i]),
        ),
      this.navigation,
      themeSwitch(),
    );
    const root = document.getElementById("page")!;
    fill(root, head, liveBar(report), this.main, el("footer", "", `Made by ${report.generator}. This page works without a network.`));
    bindKeys(() => this.context?.cursor ?? null);
    if (report.figure) this.showFigure(report.figure);
    else if (report.sweep) this.showSweep(report.sweep);
    else if (report.identification) this.showAll(identificationSections(report.identification));
    else if (studies.length > 0) void this.show(studies[0]);
    else
      fill(
        this.main,
        el(
          "section",
          { id: "summary" },
          el("h1", "", document.title),
          el(
            "p",
            "words",
            report.live ? "The study is running. Its report takes this place when it has ended." : "This report holds no study.",
          ),
        ),
      );
  }

  private showSweep(sweep: Sweep): void {
    this.sweep = sweepSections(sweep, this.arrays);
    this.showAll([sweepSummary(sweep), ...this.sweep.sections]);
  }

  private showAll(sections: Section[]): void {
    this.sections = sections;
    this.main.append(...sections.map((made) => made.element));
    this.list();
  }

  /** A page of one figure has no sections. */
  private showFigure(figure: PaperFigure): void {
    this.context = this.contextOf(this.report.studies[0]);
    this.paper = paperFigure(this.context, figure);
    this.main.append(this.paper.element);
  }

  private contextOf(study: Study): Context {
    const times = this.arrays.get(study.time);
    const n = times.length;
    return {
      report: this.report,
      arrays: this.arrays,
      study,
      cursor: new TimeCursor(times[0] ?? 0, times[n - 1] ?? 1, n > 1 ? times[1] - times[0] : 1),
    };
  }

  private show(study: Study): Promise<void> {
    this.context?.cursor.pause();
    for (const section of this.sections) section.destroy?.();
    this.sections = [];
    fill(this.main);
    fill(this.navigation);
    this.context = this.contextOf(study);
    this.ready = this.build(this.context);
    return this.ready;
  }

  /** The scene comes last: starting WebGL takes longer than all the rest. Its place is kept. */
  private async build(context: Context): Promise<void> {
    const stage = el("div", "stage");
    const place = el("section", { id: "scene", attributes: { "aria-busy": "true" } }, el("div", "picture"));
    if (context.study.scene) stage.append(place);
    const makers: { make: SectionMaker; put: (element: HTMLElement) => void }[] = [
      { make: summarySection, put: (element) => this.main.append(element, stage) },
      { make: curveSection, put: (element) => stage.append(element) },
      ...[
        quantitySection,
        bandSection,
        compareSection,
        chaosSection,
        sensitivitySection,
        variabilitySection,
        excitationSection,
        reliabilitySection,
        multilevelSection,
        worstCaseSection,
        inputSection,
        fieldSection,
        trustSection,
      ].map((make) => ({
        make,
        put: (element: HTMLElement) => this.main.append(element),
      })),
      { make: sceneSection, put: (element) => place.replaceWith(element) },
    ];
    for (const { make, put } of makers) {
      const made = make(context);
      if (this.context !== context) return made?.destroy?.(); // another study was chosen meanwhile
      if (made) {
        put(made.element);
        this.sections.push(made);
        this.list();
      }
      await (make === summarySection ? painted() : rest());
      if (this.context !== context) return;
    }
    if (!this.sections.some((section) => section.id === "scene")) place.remove();
    stage.classList.toggle("alone", stage.children.length < 2);
    if (stage.children.length === 0) stage.remove();
  }

  /** The navigation in the order of the page. */
  private list(): void {
    const order = [...this.main.querySelectorAll("section")].map((element) => element.id);
    const sorted = [...this.sections].sort((a, b) => order.indexOf(a.id) - order.indexOf(b.id));
    fill(this.navigation, ...sorted.map(({ id, name }) => el("a", { attributes: { href: `#${id}` } }, name)));
  }

  /** For tests and for curious readers: the page's own data and controls. */
  tools(): object {
    const find = <T extends Section>(id: string): T | undefined => this.sections.find((s) => s.id === id) as T | undefined;
    return {
      report: this.report,
      ready: () => this.ready,
      array: (ref: ArrayRef) => this.arrays.get(ref),
      time: () => this.context?.cursor.time ?? 0,
      setTime: (time: number) => this.context?.cursor.set(time),
      play: () => this.context?.cursor.play(),
      pause: () => this.context?.cursor.pause(),
      showStudy: (i: number) => this.show(this.report.studies[i]),
      showCurve: (i: number) => find<CurvePanel>("curves")?.show(i),
      figures: () => (this.paper?.charts ?? find<CurvePanel>("curves")?.charts() ?? []).map((chart) => chart.shown()),
      figuresOf: (id: string) =>
        find(id)
          ?.charts?.()
          .map((chart) => chart.shown()) ?? [],
      ranges: () =>
        find<CurvePanel>("curves")
          ?.charts()
          .map((chart) => chart.range()) ?? [],
      sweep: this.sweep,
      svg: toSvg,
      csv: toCsv,
      scene: () => {
        const panel = find<ScenePanel>("scene");
        return { drawn: panel?.stage?.drawn ?? 0, move: panel?.lastMove() ?? 0, names: panel?.stage?.shownNames() ?? [] };
      },
      theme: themeName,
      setTheme,
    };
  }
}

startTheme();
try {
  const report = readReport();
  if (!report.live) forbidConnections();
  (window as unknown as { tumble: object }).tumble = new Page(report).tools();
} catch (error) {
  fill(
    document.getElementById("page")!,
    el("p", "broken", `This page cannot be shown: ${error instanceof Error ? error.message : String(error)}`),
  );
  throw error;
}
