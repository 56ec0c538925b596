// Real reports: every report.html below the directory TUMBLE_REPORTS, each beside the results.nc it was made from.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { download, inkOf, launch, open, xmlRoot } from "./browser.mjs";

const root = process.env.TUMBLE_REPORTS;

function find(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return find(path);
    return entry.name === "report.html" ? [path] : [];
  });
}
const reports = root ? find(root).sort() : [];

/** Variables of a results file, flattened; null for those it does not have. */
function readResults(file, names) {
  const program =
    "import json, sys, netCDF4\n" +
    "f = netCDF4.Dataset(sys.argv[1]); f.set_auto_mask(False)\n" +
    "print(json.dumps({n: [x if x == x else None for x in f[n][:].astype(float).ravel().tolist()] if n in f.variables else None for n in json.loads(sys.argv[2])}))";
  const python = process.env.TUMBLE_PYTHON ?? "/usr/bin/python3";
  return JSON.parse(execFileSync(python, ["-c", program, file, JSON.stringify(names)], { maxBuffer: 1 << 29 }).toString());
}

let browser;
before(async () => {
  if (reports.length > 0) browser = await launch();
});
after(() => browser?.close());

test("there are reports to look at", { skip: root ? false : "TUMBLE_REPORTS names no directory" }, () => {
  assert.ok(reports.length > 0, `no report.html below ${root}`);
});

const STATISTICS = ["nominal", "mean", "std", "mean_se", "quantile", "cov"];

for (const report of reports) {
  const name = basename(dirname(report));
  const address = pathToFileURL(report).href;

  test(`${name}: numbers, scene, hover and export`, async () => {
    const { page, trouble, close } = await open(browser, address);

    // The page's own arrays are those of the results file, bit for bit, at the times that the page has.
    const results = join(dirname(report), "results.nc");
    if (existsSync(results)) {
      const held = await page.evaluate(
        (statistics) =>
          window.tumble.report.studies[0].curves.flatMap((curve) =>
            statistics
              .filter((s) => curve[s])
              .map((s) => ({
                variable: `${curve.probe}_${curve.quantity}_${s}`,
                before: s === "quantile" ? curve[s].shape[0] : 1,
                values: Array.from(window.tumble.array(curve[s]), (v) => (Number.isNaN(v) ? null : v)),
              })),
          ),
        STATISTICS,
      );
      const stored = readResults(results, ["time", ...held.map((entry) => entry.variable)]);
      const times = await page.evaluate(() => Array.from(window.tumble.array(window.tumble.report.studies[0].time)));
      const rows = times.map((t) => stored.time.indexOf(t));
      assert.ok(!rows.includes(-1), "a time that the results do not have");
      let compared = 0;
      for (const { variable, before, values } of held) {
        const all = stored[variable];
        if (all === null) continue; // a probe whose name was changed for the file
        const perRow = all.length / before / stored.time.length;
        const expected = Array.from({ length: before }, (_, k) =>
          rows.flatMap((row) => all.slice((k * stored.time.length + row) * perRow, (k * stored.time.length + row + 1) * perRow)),
        ).flat();
        assert.deepEqual(values, expected, variable);
        ++compared;
      }
      assert.ok(compared > 0, "no variable of the results file is in the page");
      // Curves of quantities of interest too.
      const scalars = await page.evaluate(() =>
        (window.tumble.report.studies[0].quantities ?? []).flatMap((q) =>
          Object.entries(q.curves ?? {}).map(([what, ref]) => ({
            variable: `quantity_${q.name}_${what}`,
            values: Array.from(window.tumble.array(ref), (v) => (Number.isNaN(v) ? null : v)),
          })),
        ),
      );
      const written = readResults(
        results,
        scalars.map((entry) => entry.variable),
      );
      for (const { variable, values } of scalars) assert.deepEqual(values, written[variable], variable);
      if (name === "peaks") assert.equal(scalars.length, 6 * 6, "six curves of six quantities");
      // What is drawn is what is held.
      const drawn = await page.evaluate(() => {
        const [curve] = window.tumble.report.studies[0].curves;
        window.tumble.showCurve(0);
        const figure = window.tumble.figures()[0];
        const axis = Math.max(
          0,
          curve.axes.findIndex((a) => figure.title.endsWith(` ${a}`)),
        );
        const nominal = figure.lines.find((line) => line.label === "nominal");
        const times = window.tumble.array(window.tumble.report.studies[0].time);
        const values = window.tumble.array(curve.nominal);
        return Array.from(times).every((t, i) => nominal.y[Array.from(figure.x).indexOf(t)] === values[i * curve.axes.length + axis]);
      });
      assert.ok(drawn);
    }

    const hasScene = await page.evaluate(() => window.tumble.report.studies[0].scene !== null);
    if (hasScene) {
      await page.waitForFunction(() => window.tumble.scene().drawn > 0);
      const start = await inkOf(page, "#scene canvas");
      assert.ok(start.share > 0.005, `only ${start.share} of the scene is drawn`);
      const pictures = await page.evaluate(() => {
        const times = window.tumble.array(window.tumble.report.studies[0].time);
        const before = window.tumble.scene().drawn;
        window.tumble.setTime(times[Math.floor(0.37 * times.length)]);
        return before;
      });
      await page.waitForFunction((n) => window.tumble.scene().drawn > n, pictures);
      assert.notDeepEqual((await inkOf(page, "#scene canvas")).shot, start.shot, "the scene does not move");
    }

    const plot = page.locator("#curves .u-over").first();
    await plot.evaluate((element) => element.scrollIntoView({ block: "center", behavior: "instant" }));
    const box = await plot.boundingBox();
    await page.mouse.move(box.x + 0.6 * box.width, box.y + box.height / 2);
    const text = await page.locator("#curves .readout").first().textContent();
    assert.match(text, /^t [\d.]+\u202f(s|ms|µs)/);
    assert.match(text, /nominal −?\d/);
    const unit = await page.evaluate(() => window.tumble.figures()[0].unit);
    if (unit && unit !== "1") assert.match(text, / \S+$/);

    const button = (kind) => page.locator("#curves .exports button", { hasText: kind }).first();
    assert.equal(await xmlRoot(page, (await download(page, button("SVG"))).bytes.toString()), "svg");
    const rows = (await download(page, button("CSV"))).bytes.toString().trim().split("\r\n");
    assert.match(rows[0], /^time \[s\],/);
    assert.ok(rows.length > (await page.evaluate(() => window.tumble.report.studies[0].time.shape[0])));
    assert.deepEqual(trouble, []);
    await close();
  });

  test(`${name}: dark, on a telephone, by keyboard`, async () => {
    const { page, trouble, close } = await open(browser, address, { colorScheme: "dark", width: 400 });
    assert.equal(await page.evaluate(() => window.tumble.theme()), "dark");
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 400, "wider than the screen");
    const begin = await page.evaluate(() => window.tumble.time());
    await page.keyboard.press("ArrowRight");
    assert.ok((await page.evaluate(() => window.tumble.time())) > begin);
    for (const section of await page.locator("main section[id]").all()) {
      assert.ok((await section.textContent()).trim().length > 0, "an empty section");
    }
    assert.deepEqual(trouble, []);
    await close();
  });
}
