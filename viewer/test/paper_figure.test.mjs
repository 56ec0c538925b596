// A page of one figure of a paper: its text and its views, and nothing else of the study.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { inkOf, launch, open } from "./browser.mjs";
import { HOSTILE, makePage } from "./fixture.mjs";

let browser;
let folder;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "tumble-figure-"));
  browser = await launch({ webgl: false });
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

const position = { probe: HOSTILE, quantity: "position" };

/** Opens a page with these views, on a study by chaos and one by sampling. */
async function openFigure(views, notes = []) {
  const figure = { paper: "Nobody & Someone (2012)", number: "11", title: HOSTILE, caption: `About ${HOSTILE}`, notes, views };
  const file = join(folder, "figure.html");
  writeFileSync(file, makePage([{ label: "chaos", method: "chaos", chaos: true }, { label: "sampled" }], { figure }));
  return open(browser, pathToFileURL(file).href);
}

test("heading, caption, notes and one chart are there, and no section of a report", async () => {
  const { page, trouble, close } = await openFigure([{ kind: "response", ...position, axis: "x" }], ["It differs.", HOSTILE]);
  assert.deepEqual(await page.locator("main section").evaluateAll((all) => all.map((s) => s.id)), ["figure"]);
  assert.equal(await page.locator("#figure .lead").textContent(), "Figure 11 of Nobody & Someone (2012)");
  assert.equal(await page.locator("h1").textContent(), HOSTILE);
  assert.equal(await page.locator("#figure .words").textContent(), `About ${HOSTILE}`);
  assert.deepEqual(await page.locator("#figure .warnings li").allTextContents(), ["It differs.", HOSTILE]);
  assert.equal(await page.locator(".chart").count(), 1);
  assert.equal(await page.locator("main img, main script").count(), 0);
  assert.equal(await page.locator(".top .tabs, .top nav a").count(), 0);
  assert.ok((await inkOf(page, ".chart .plot")).share > 0.005);
  // Only the study that the view shows is said to have made it.
  assert.deepEqual(await page.locator(".made code").allTextContents(), ["tumble run pendulum.yaml -n 64 --seed 1"]);
  assert.deepEqual(trouble, []);
  await close();
});

test("a response holds nominal, mean and region; from its start it begins at zero", async () => {
  const { page, close } = await openFigure([
    { kind: "response", ...position, axis: "z" },
    { kind: "response", ...position, axis: "z", from_start: true },
  ]);
  const [plain, moved] = await page.evaluate(() =>
    window.tumble.figures().map((figure) => ({
      labels: [...figure.lines.map((l) => l.label), ...figure.areas.map((a) => a.label)],
      first: figure.lines.map((l) => l.y[0]),
      last: figure.lines.map((l) => l.y[l.y.length - 1]),
    })),
  );
  assert.deepEqual(plain.labels, ["mean", "nominal", "90\u202f%"]);
  assert.deepEqual(moved.first, [0, 0]);
  plain.first.forEach((start, i) => assert.ok(Math.abs(plain.last[i] - start - moved.last[i]) < 1e-15));
  assert.ok(Math.abs(plain.first[0] + Math.cos(0.6)) < 1e-15);
  await close();
});

test("means, covariances and principal deviations of all studies are laid over each other", async () => {
  const { page, trouble, close } = await openFigure([
    { kind: "mean", ...position, axes: ["x", "z"] },
    {
      kind: "covariance",
      ...position,
      entries: [
        ["x", "x"],
        ["x", "z"],
      ],
    },
    { kind: "principal-std", ...position },
    { kind: "covariance", ...position, entries: [["z", "z"]], study: 1 },
  ]);
  const figures = await page.evaluate(() =>
    window.tumble.figures().map((figure) => ({ unit: figure.unit, lines: figure.lines.map((l) => [l.label, l.y[l.y.length - 1]]) })),
  );
  assert.deepEqual(
    figures[0].lines.map(([label]) => label),
    ["x, chaos", "z, chaos", "x, 64 draws", "z, 64 draws"],
  );
  // In the fixture the deviations at t = 2 s are 0.04 m along x, nothing along y, 0.02 m along z.
  assert.equal(figures[1].unit, "m^2");
  assert.ok(Math.abs(figures[1].lines[0][1] - 0.0016) < 1e-15 && figures[1].lines[1][1] === 0);
  assert.deepEqual(
    figures[2].lines.slice(0, 2).map(([label]) => label),
    ["σ₁, chaos", "σ₃, chaos"],
  );
  assert.ok(Math.abs(figures[2].lines[1][1] - 0.02) < 1e-15);
  assert.deepEqual(
    figures[3].lines.map(([label]) => label),
    ["σ²(z)"],
  );
  assert.equal(await page.locator(".made li").count(), 2);
  assert.deepEqual(trouble, []);
  await close();
});

test("inputs, points, fields, tracks and configurations are drawn", async () => {
  const { page, trouble, close } = await openFigure([
    { kind: "input", path: "bodies.bob.position[0]", study: 1 },
    { kind: "field", field: HOSTILE },
    { kind: "field-error", fields: [HOSTILE] },
    { kind: "points", x: "bodies.bob.position[0]", y: "bodies.bob.position[2]", study: 1 },
    { kind: "track", ...position, plane: "xz", times: [1, 2], title: "(a) A path" },
    { kind: "track", ...position, plane: "space", times: [1, 2] },
    { kind: "configurations", quantity: "position", lines: [[HOSTILE, HOSTILE]], plane: "xz", times: [0, 1, 2], sigmas: 2 },
  ]);
  assert.equal(await page.locator(".chart").count(), 3);
  const drawings = page.locator(".drawing");
  assert.equal(await drawings.count(), 4);
  for (let i = 0; i < 4; ++i) {
    await drawings.nth(i).evaluate((element, k) => element.setAttribute("id", `drawing-${k}`), i);
    assert.ok((await inkOf(page, `#drawing-${i} canvas`)).share > 0.004, `drawing ${i} is empty`);
  }
  assert.deepEqual(await page.locator(".paper-view h2").allTextContents(), ["(a) A path"]);
  assert.deepEqual(trouble, []);
  await close();
});
