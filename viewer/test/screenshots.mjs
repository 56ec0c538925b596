// Pictures of finished pages for the documentation: node screenshots.mjs STUDIES IMAGES, where STUDIES holds
// case4/report.html and double-pendulum/report.html.
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
  if (selector) await page.evaluate(() => { document.querySelector("header").style.position = "static"; });
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
await browser.close();
