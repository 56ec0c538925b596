// A page that `tumble view` serves while its study runs: asks for the status each second, and loads the
// finished page when there is one.
import { el } from "./dom";
import { integer, number, span } from "./format";
import type { LiveStatus, Report } from "./payload";

export function liveBar(report: Report): HTMLElement | null {
  if (!report.live) return null;
  const address = report.live.status;
  const bar = el("progress", { attributes: { "aria-label": "Progress of the study", max: "1" } });
  const words = el("span", { attributes: { role: "status" } }, "This study is running.");
  const element = el("div", "live", words, bar);
  const ask = async (): Promise<void> => {
    try {
      const answer = await fetch(address, { cache: "no-store" });
      const status = (await answer.json()) as LiveStatus;
      if (status.done) {
        location.reload();
        return;
      }
      if (status.finished !== undefined) {
        // Without a known end the bar only shows that something is going on.
        if (status.realizations) bar.value = status.finished / status.realizations;
        words.textContent = [
          status.realizations
            ? `${integer(status.finished)} of ${integer(status.realizations)} realisations`
            : `${integer(status.finished)} realisations so far`,
          status.failed ? `${integer(status.failed)} failed` : "",
          status.rate ? `${number(status.rate, 3)} per second` : "",
          status.remaining ? `${span(status.remaining)} left` : "",
        ]
          .filter(Boolean)
          .join(" · ");
      }
    } catch {
      words.textContent = "The program that serves this page does not answer.";
    }
    setTimeout(() => void ask(), 1000);
  };
  void ask();
  return element;
}
