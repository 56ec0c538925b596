// The page of a sweep: numbers of a closed form at the places where they belong.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { download, launch, open, xmlRoot } from "./browser.mjs";
import { ANSWER, ANSWER_ERROR, HOSTILE, makePage } from "./fixture.mjs";

let browser;
let folder;
const address = (name) => pathToFileURL(join(folder, name)).href;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "tumble-sweep-"));
  for (const count of [0, 1, 2, 3, 1000, 1001]) writeFileSync(join(folder, `${count}.html`), makePage([], { sweep: count }));
  browser = await launch();
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

const answers = (page) =>
  page.evaluate(() =>
    window.tumble.figuresOf("answers").map((f) => ({
      title: f.title,
      x: Array.from(f.x),
      names: f.xNames,
      y: Array.from(f.lines[0].y),
      bands: f.areas.map((a) => [Array.from(a.lower), Array.from(a.upper)]),
      marks: f.lines[0].marks,
    })),
  );

test("one parameter: a curve with its band in ascending order, and no heat map", async () => {
  const { page, trouble, close } = await open(browser, address("1.html"));
  assert.equal(await page.locator("h1").textContent(), HOSTILE);
  assert.deepEqual(await page.locator("main section[id]").evaluateAll((all) => all.map((s) => s.id)), [
    "summary",
    "answers",
    "over-time",
    "points",
  ]);
  const [only, ...others] = await answers(page);
  assert.equal(others.length, 0);
  assert.deepEqual(only.x, [-9.81, -1.62, 0]);
  const expected = [1, 0].map((i) => ANSWER([i], 4, 2)); // the widest: z at the last time; the last point has no numbers
  assert.deepEqual(only.y.slice(0, 2), expected);
  assert.ok(Number.isNaN(only.y[2]));
  assert.deepEqual(
    only.bands[0].map((end) => end.slice(0, 2)),
    [expected.map((v) => v - ANSWER_ERROR), expected.map((v) => v + ANSWER_ERROR)],
  );
  assert.ok(only.marks);
  assert.match(only.title, /^standard deviation of .* position z at t = 0\.4\u202fs$/);
  assert.equal(await page.locator(".heat").count(), 0);
  assert.match(
    await page.locator("#summary .words").textContent(),
    /at each of 3 points: gravity\[2\] took 3 values from −9\.81.m\/s² to 0.m\/s²\..*192 realisations were computed in all; 3 failed: all statistics are on condition of success\..*same random numbers/u,
  );
  assert.equal(await page.locator(".warnings li").textContent(), HOSTILE);
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  assert.deepEqual(trouble, []);
  await close();
});

test("a point alone has its error bar, on the screen and in files", async () => {
  const { page, trouble, close } = await open(browser, address("0.html"));
  const [only] = await answers(page);
  const value = ANSWER([0], 4, 2);
  assert.deepEqual([only.x, only.y], [[-1.62], [value]]);
  // Pixels of the colour of means above and below the dot, where the ends of the interval are.
  const column = await page.evaluate(() => {
    const canvas = document.querySelector("#answers canvas");
    const style = getComputedStyle(document.documentElement).getPropertyValue("--mean").trim();
    const probe = document.createElement("canvas").getContext("2d");
    probe.fillStyle = style;
    probe.fillRect(0, 0, 1, 1);
    const [r, g, b] = probe.getImageData(0, 0, 1, 1).data;
    const { width, height } = canvas;
    const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
    const rows = new Set();
    const caps = [];
    for (let y = 0; y < height; ++y) {
      let found = 0;
      for (let x = 0; x < width; ++x) {
        const i = 4 * (y * width + x);
        if (data[i + 3] > 200 && Math.abs(data[i] - r) + Math.abs(data[i + 1] - g) + Math.abs(data[i + 2] - b) < 30) ++found;
      }
      if (found) rows.add(y);
      caps.push(found);
    }
    return {
      rows: rows.size,
      height,
      ends: [Math.min(...rows), Math.max(...rows)].map((y) =>
        Math.max(caps[y], caps[Math.min(y + 1, height - 1)], caps[Math.max(y - 1, 0)]),
      ),
    };
  });
  assert.ok(column.rows > 0.6 * column.height, `the bar is ${column.rows} of ${column.height} pixels high`);
  assert.ok(
    column.ends.every((n) => n >= 8),
    `caps are ${column.ends} pixels wide`,
  );
  const svg = (await download(page, page.locator("#answers .chart .exports button", { hasText: "SVG" }).first())).bytes.toString();
  assert.equal((svg.match(/class="error-bar"/g) ?? []).length, 1);
  assert.ok(!svg.includes("NaN"));
  assert.deepEqual(trouble, []);
  await close();
});

test("three parameters: a panel each, others held; a heat map of two of them", async () => {
  const { page, trouble, close } = await open(browser, address("3.html"));
  let shown = await answers(page);
  assert.equal(shown.length, 3);
  assert.deepEqual(
    shown[0].y,
    [1, 0, 2].map((i) => (i === 2 ? ANSWER([2, 0, 0], 4, 2) : ANSWER([i, 0, 0], 4, 2))),
    "the middle of three is held at its second value",
  );
  const scales = await page.evaluate(() => window.tumble.figuresOf("answers").map((f) => f.yAtLeast));
  assert.deepEqual(
    scales,
    scales.map(() => scales[0]),
    "panels have one scale",
  );
  assert.deepEqual(shown[1].names, ["[1, 1, 1]", HOSTILE]);
  assert.deepEqual(
    shown[1].y,
    [0, 1].map((i) => ANSWER([1, i, 0], 4, 2)),
  );
  await page.getByLabel("mass.cv held at").selectOption({ index: 1 });
  await page.getByRole("tab", { name: "x", exact: true }).click();
  await page.getByLabel("Statistic").selectOption("mean");
  shown = await answers(page);
  assert.deepEqual(
    shown[1].y,
    [0, 1].map((i) => ANSWER([1, i, 1], 4, 0)),
  );
  assert.match(shown[1].title, /^mean of .* position x/);
  // Cells in the order of the numbers; the one without numbers has no colour.
  await page.getByRole("combobox", { name: /^Across/ }).selectOption({ index: 2 });
  await page.getByLabel("inertia and 1 other held at").selectOption({ index: 1 });
  const cells = await page.locator(".heat tbody tr").evaluateAll((rows) =>
    rows.map((row) => ({
      head: row.querySelector("th").textContent,
      cells: [...row.querySelectorAll("td")].map((td) => [td.textContent, td.style.backgroundColor]),
    })),
  );
  assert.deepEqual(
    cells.map((row) => row.head.replace(/\u202f/g, " ")),
    ["−9.81 m/s²", "−1.62 m/s²", "0 m/s²"],
  );
  assert.deepEqual(
    cells.map((row) => row.cells.map(([text]) => text)),
    [
      [0, 1].map((k) => String(ANSWER([1, 1, k], 4, 0))),
      [0, 1].map((k) => String(ANSWER([0, 1, k], 4, 0))),
      [String(ANSWER([2, 1, 0], 4, 0)), "–"],
    ],
  );
  assert.equal(cells[2].cells[1][1], "");
  const shares = cells
    .flatMap((row) => row.cells)
    .filter(([, color]) => color)
    .map(([text, color]) => [Number(text), Number(color.match(/(\d+)%/)[1])]);
  shares.sort((a, b) => a[0] - b[0]);
  assert.equal(shares[0][1], 0);
  assert.equal(shares.at(-1)[1], 50);
  assert.match(await page.locator(".heat td").nth(1).getAttribute("title"), /95 % interval: .* … .*m/);
  assert.deepEqual(trouble, []);
  await close();
});

test("time: a slider, a line for each value, and none for a statistic of the whole run", async () => {
  const { page, trouble, close } = await open(browser, address("2.html"));
  const slider = page.getByRole("slider", { name: "Time" });
  await slider.focus();
  await page.keyboard.press("Home");
  let shown = await answers(page);
  assert.deepEqual(
    shown[0].y.slice(0, 2),
    [1, 0].map((i) => ANSWER([i, 0], 0, 2)),
  );
  assert.match(shown[0].title, /at t = 0\u202fs$/);
  const lines = await page.evaluate(() => window.tumble.figuresOf("over-time")[0].lines.map((l) => [l.label, Array.from(l.y)]));
  assert.equal(lines.length, 3);
  assert.match(await page.locator("#over-time .lead").textContent(), /5 of 41 output times/);
  assert.match(lines[0][0], /^gravity\[2\] −9\.81/);
  assert.deepEqual(
    lines[0][1],
    [0, 1, 2, 3, 4].map((row) => ANSWER([1, 0], row, 2)),
  );
  await page.getByLabel("Statistic").selectOption("standard deviation averaged over time");
  assert.ok(await slider.isHidden());
  shown = await answers(page);
  assert.deepEqual(
    shown[0].y,
    [1, 0, 2].map((i) => 3 * (2 * i)),
  );
  assert.equal(shown[0].bands.length, 0);
  assert.equal(await page.locator("#over-time .chart").count(), 0);
  // Another response has no such statistic: its first one is shown, and its chart is there again.
  await page.getByLabel("Response").selectOption({ index: 1 });
  shown = await answers(page);
  assert.match(shown[0].title, /^mean of all kinetic energy/);
  assert.equal(await page.locator("#over-time .chart").count(), 1);
  assert.deepEqual(trouble, []);
  await close();
});

test("the table has every point, failures with their reason", async () => {
  const { page, close } = await open(browser, address("2.html"));
  const rows = await page
    .locator("#points tbody tr")
    .evaluateAll((all) => all.map((row) => [...row.querySelectorAll("td")].map((td) => td.textContent)));
  assert.equal(rows.length, 6);
  assert.equal(rows[1][4], "3");
  assert.equal(rows[5].at(-1), HOSTILE);
  assert.equal(rows[5][5], "–\u202fm");
  assert.match(rows[0][5], new RegExp(`^${ANSWER([0, 0], 4, 2)}\u202fm$`));
  await close();
});

test("charts of sweeps go out as SVG and CSV; names on an axis stay names", async () => {
  const { page, trouble, close } = await open(browser, address("2.html"));
  const svg = await download(page, page.locator("#answers .chart").nth(1).locator(".exports button", { hasText: "SVG" }));
  assert.equal(await xmlRoot(page, svg.bytes.toString()), "svg");
  assert.ok(svg.bytes.toString().includes(">[1, 1, 1]<"));
  assert.equal((svg.bytes.toString().match(/<circle /g) ?? []).length, 2);
  const csv = (await download(page, page.locator("#answers .chart").first().locator(".exports button", { hasText: "CSV" }))).bytes
    .toString()
    .trim()
    .split("\r\n");
  assert.equal(
    csv[0],
    '\'gravity[2] [m/s^2],standard deviation [m],"95 % interval, lower [m]","95 % interval, upper [m]"'.replace("'", ""),
  );
  assert.equal(csv.length, 4);
  assert.deepEqual(trouble, []);
  await close();
});

test("narrow and dark: nothing wider than a telephone", async () => {
  const { page, trouble, close } = await open(browser, address("3.html"), { colorScheme: "dark", width: 400 });
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 400);
  assert.deepEqual(trouble, []);
  await close();
});

test("a table of a thousand points is whole, and of one more it is said that it ends there", async () => {
  for (const [count, words] of [
    [1000, /^Every point/],
    [1001, /^The first 1.?000 of 1.?001 points/u],
  ]) {
    const { page, trouble, close } = await open(browser, address(`${count}.html`));
    assert.match((await page.locator("#points .lead").textContent()).trim(), words);
    assert.equal(await page.locator("#points tbody tr").count(), 1000);
    assert.deepEqual(trouble, []);
    await close();
  }
});
