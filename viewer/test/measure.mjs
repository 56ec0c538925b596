// Prints, for each page named on the command line, its size, the time to its first paint and the script time per
// animation frame while it plays, from the browser's own trace. Figures for the documentation, not a test.
import { statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { launch, open } from "./browser.mjs";

const browser = await launch();
for (const file of process.argv.slice(2)) {
  const { page, close } = await open(browser, pathToFileURL(file).href);
  const paint = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN);
  const session = await page.context().newCDPSession(page);
  const events = [];
  session.on("Tracing.dataCollected", ({ value }) => events.push(...value));
  const finished = new Promise((done) => session.once("Tracing.tracingComplete", done));
  await session.send("Tracing.start", { traceConfig: { includedCategories: ["devtools.timeline"] }, transferMode: "ReportEvents" });
  await page.evaluate(() => window.tumble.play());
  await page.waitForTimeout(4000);
  await session.send("Tracing.end");
  await finished;
  const frames = events
    .filter((event) => event.name === "FireAnimationFrame" && event.dur)
    .map((event) => event.dur / 1000)
    .sort((a, b) => a - b);
  const at = (share) => frames[Math.min(frames.length - 1, Math.floor(share * frames.length))]?.toFixed(1);
  console.log(
    `${file}: ${(statSync(file).size / 1e6).toFixed(1)} MB, first paint ${paint.toFixed(0)} ms, script per frame ${at(0.5)} ms (median), ${at(0.95)} ms (95 %), ${frames.length} frames`,
  );
  await close();
}
await browser.close();
