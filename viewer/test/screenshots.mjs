// Pictures of finished pages for the documentation: node screenshots.mjs STUDIES IMAGES, where STUDIES holds
// report.html of case4, double-pendulum and the sweep sensitivity.
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { launch, open } from "./browser.mjs";

const [studies, images] = process.argv.slice(2).map((path) => resolve(path));
const browser = await launch();

/** Opens a study's page, moves to a share of its duration, and takes a picture of one element or of the window. */
async function picture(study, file, { time = 0.5, selector = null, curve = null, ...window } = {}) {
  const { page, close } = await open(browser, pathToFileURL(join(studies, study, "report.html")).href, window);
  if (curve) {
    await page.evaluate(([probe, quantity]) => {
      const { report, showCurve } = window.tumble;
      showCurve(report.studies[0].curves.findIndex((c) => c.probe === probe && c.quantity === quantity));
    }, curve);
  }
  await page.evaluate((share) => {
    const { report, array, setTime } = window.tumble;
    const times = array(report.studies[0].time);
    setTime(times[Math.round(share * (times.length - 1))]);
  }, time);
  // A picture of a long section would have the bar of the page across it.
  if (selector)
    await page.evaluate(() => {
      document.querySelector("header").style.position = "static";
    });
  await page.waitForTimeout(500);
  const target = selector ? page.locator(selector).first() : page;
  await target.screenshot({ path: join(images, file) });
  await close();
}

await picture("case4", "report.png", { curve: ["pobs", "acceleration"], width: 1360, height: 1500 });
await picture("case4", "report-dark.png", { curve: ["pobs", "acceleration"], width: 1360, height: 1000, colorScheme: "dark" });
await picture("case4", "report-narrow.png", { width: 400, height: 1100 });
await picture("case4", "report-inputs.png", { selector: "#inputs", width: 1360, height: 1000 });
await picture("double-pendulum", "report-flexible.png", { selector: "#scene", time: 0.9, width: 1360, height: 1000 });
await picture("double-pendulum", "report-chaos.png", { selector: "#chaos", width: 1360, height: 1000 });

// Of the sweep, how the spread answers to all parameters.
{
  const { page, close } = await open(browser, pathToFileURL(join(studies, "sensitivity", "report.html")).href, {
    width: 1360,
    height: 1000,
  });
  await page.evaluate(() => {
    const { responses } = window.tumble.report.sweep;
    const response = responses.findIndex((r) => r.quantity === "acceleration");
    window.tumble.sweep.choose({ response, axis: 2, statistic: responses[response].statistics.findIndex((s) => !s.over_time) });
    document.querySelector("header").style.position = "static";
  });
  await page.waitForTimeout(500);
  await page.locator("#answers").screenshot({ path: join(images, "report-sweep.png") });
  await close();
}
await browser.close();
