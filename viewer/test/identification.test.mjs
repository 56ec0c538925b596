// The page of an identification: estimates with errors, profiles, and data beside the bands before and after.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { launch, open } from "./browser.mjs";
import { HOSTILE, makePage } from "./fixture.mjs";

const parameter = (path, at_bound) => ({
  path,
  at_bound,
  degrees: 1,
  estimate: 0.32,
  estimate_error: 0.0005,
  lower: 0.23,
  lower_error: 0.001,
  upper: 0.47,
  upper_error: null,
  standard_error: 0.056,
  profile_at: [0.2, 0.32, 0.5, null],
  profile: [-105, -100, -103, null],
});
const identification = {
  label: "spring",
  title: HOSTILE,
  method: "identification",
  likelihood: "gaussian",
  level: 0.95,
  runs: 4000,
  failed: 0,
  experiments: 2,
  file: "spring.yaml",
  command: "tumble identify spring.yaml --data spring.csv",
  version: "0.1.0",
  model_sha256: "0123456789abcdef",
  warnings: [HOSTILE],
  log_likelihood: -100,
  log_likelihood_error: 0.2,
  ess: 1234.5,
  ess_experiment: [50, 20],
  parameters: [parameter("uncertainty.rb5.mass.cv", 0), parameter("uncertainty.rb5.inertia.lambda_u", 2)],
  observations: [
    { name: "a", unit: "m", time: 0.1, noise: 0.1, data: [1, null], before: [0, 1, 2], after: [0.5, 1, 1.5] },
    { name: "b", unit: "m", time: 0.2, noise: 0.1, data: [2, 3], before: [1, 2, 3], after: [1.5, 2, 2.5] },
    { name: "c", unit: "s", time: null, noise: 0.1, data: [4, 5], before: [3, 4, 5], after: [3.5, 4, 4.5] },
  ],
};

let browser;
let folder;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), "tumble-identification-"));
  writeFileSync(join(folder, "page.html"), makePage([], { identification }));
  browser = await launch();
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

test("estimates, what they are worth, profiles and bands", async () => {
  const { page, trouble, close } = await open(browser, pathToFileURL(join(folder, "page.html")).href);
  assert.equal(await page.locator("h1").textContent(), HOSTILE);
  assert.deepEqual(await page.locator("main section[id]").evaluateAll((all) => all.map((s) => s.id)), [
    "summary",
    "estimates",
    "profiles",
    "measurements",
  ]);
  const summary = await page.locator("#summary").textContent();
  assert.match(summary, /falsely narrow/);
  const estimates = await page.locator("#estimates").textContent();
  assert.match(estimates, /not identifiable: the interval reaches its bound/);
  assert.match(estimates, /0\.23 ± 0\.001/);
  const profiles = await page.evaluate(() =>
    window.tumble
      .figuresOf("profiles")
      .map((f) => ({ x: Array.from(f.x), y: Array.from(f.lines[0].y), marks: f.verticals.map((v) => v.x) })),
  );
  assert.equal(profiles.length, 2);
  assert.deepEqual(profiles[0], { x: [0.2, 0.32, 0.5], y: [-5, 0, -3], marks: [0.23, 0.32, 0.47] });
  const bands = await page.evaluate(() =>
    window.tumble.figuresOf("measurements").map((f) => ({
      names: f.xNames,
      before: Array.from(f.areas[0].upper),
      after: Array.from(f.areas[1].lower),
      data: f.lines.slice(1).map((line) => Array.from(line.y)),
    })),
  );
  assert.equal(bands.length, 2); // one a unit
  assert.deepEqual(bands[0], {
    names: ["a", "b"],
    before: [2, 3],
    after: [0.5, 1.5],
    data: [
      [1, 2],
      [NaN, 3],
    ],
  });
  assert.deepEqual(trouble, []);
  await close();
});
