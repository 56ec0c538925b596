// A page that `tumble view` serves while its study runs: asks for the status each second, and loads the
// finished page when there is one.
import { el } from "./dom";
import { integer, number, span } from "./format";
import type { Report } from "./payload";

/** What the status says; fields that a server leaves out are not shown. */
interface Status {
  done?: boolean;
  finished?: number;
  realizations?: number;
  failed?: number;
  rate?: number; // per second
  remaining?: number; // s
}

export function liveBar(report: Report): HTMLElement | null {
  if (!report.live) return null;
  const address = report.live.status;
  const bar = el("progress", { attributes: { "aria-label": "Progress of the study", max: "1" } });
  const words = el("span", { attributes: { role: "status" } }, "This study is running.");
  const element = el("div", "live", words, bar);
  const ask = async (): Promise<void> => {
    try {
      const answer = await fetch(address, { cache: "no-store" });
      const status = (await answer.json()) as Status;
      if (status.done) {
        location.reload();
        return;
      }
      if (status.realizations && status.finished !== undefined) {
        bar.value = status.finished / status.realizations;
        words.textContent = [
          `${integer(status.finished)} of ${integer(status.realizations)} realisations`,
          status.failed ? `${integer(status.failed)} failed` : "",
          status.rate ? `${number(status.rate, 3)} per second` : "",
          status.remaining ? `${span(status.remaining)} left` : "",
        ].filter(Boolean).join(" · ");
      }
    } catch {
      words.textContent = "The program that serves this page does not answer.";
    }
    setTimeout(() => void ask(), 1000);
  };
  void ask();
  return element;
}
