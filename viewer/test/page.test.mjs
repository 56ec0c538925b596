// The page with a small study of every kind of content.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { download, inkOf, launch, open, xmlRoot } from "./browser.mjs";
import { BREAK, HOSTILE, makePage, TIMES } from "./fixture.mjs";

let browser;
let folder;
const address = (name) => pathToFileURL(join(folder, name)).href;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "tumble-page-"));
  writeFileSync(join(folder, "one.html"), makePage([{}]));
  writeFileSync(join(folder, "two.html"), makePage([{ label: "chaos", method: "chaos", chaos: true }, { label: "sampled" }]));
  browser = await launch();
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

const sections = (page) => page.locator("main section[id]").evaluateAll((all) => all.map((section) => section.id));

/** Where the first curve is on the screen. */
async function plotBox(page) {
  const plot = page.locator("#curves .u-over").first();
  await plot.evaluate((element) => element.scrollIntoView({ block: "center", behavior: "instant" }));
  return plot.boundingBox();
}

test("all sections of a study are there, and those without content are not", async () => {
  const { page, trouble, close } = await open(browser, address("one.html"));
  assert.deepEqual(await sections(page), ["summary", "scene", "curves", "quantities", "inputs", "fields", "trust"]);
  assert.deepEqual(trouble, []);
  await close();
});

test("names with markup are shown as text, and nothing in them runs", async () => {
  const { page, trouble, close } = await open(browser, address("one.html"));
  assert.equal(await page.locator("h1").textContent(), HOSTILE);
  assert.equal(await page.title(), HOSTILE);
  assert.equal(await page.locator(".warnings li").textContent(), HOSTILE);
  assert.ok((await page.locator("#trust td").allTextContents()).includes(HOSTILE));
  assert.match(await page.locator("#trust").innerText(), /63 degrees of freedom/);
  assert.match(await page.locator("#trust").innerText(), /95\s*% interval of the std/);
  assert.equal(await page.locator("main img, main script").count(), 0);
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  const svg = await download(page, page.locator("#curves .exports button", { hasText: "SVG" }).first());
  assert.equal(await xmlRoot(page, svg.bytes.toString()), "svg");
  assert.deepEqual(trouble, []);
  await close();
});

test("the summary says how well energy is accounted for", async () => {
  const { page, close } = await open(browser, address("one.html"));
  const words = await page.locator("#summary .words").textContent();
  assert.match(
    words,
    /The account of energy closes to less than 0\.01\u202f% of the energy exchanged in the nominal run and to 0\.3\u202f% or better in every realisation that counts; a run fails at 10\u202f%\./u,
  );
  const facts = await page.locator("#trust").textContent();
  assert.match(facts, /Account of energy\s*open by 0\.002.% of the energy exchanged/u);
  await close();
});

test("what rounds to nothing is not said to be nothing", async () => {
  writeFileSync(join(folder, "exact.html"), makePage([{ mismatch: { nominal: 0, largest: 3e-7, realization: 7 } }]));
  const { page, close } = await open(browser, address("exact.html"));
  assert.match(
    await page.locator("#summary .words").textContent(),
    /closes to less than 0\.01\u202f% of the energy exchanged in the nominal run and to less than 0\.01\u202f% in every realisation that counts; a run fails at 10\u202f%\./u,
  );
  await close();
});

test("a region without ends promises nothing, and leaves the axes alone", async () => {
  writeFileSync(
    join(folder, "short.html"),
    makePage([{ region: "simultaneous", shortfall: "too few realisations succeeded: 51, and 58 are needed" }]),
  );
  const { page, trouble, close } = await open(browser, address("short.html"));
  const words = await page.locator("#summary .words").textContent();
  assert.match(words, /Too few realisations succeeded: 51, and 58 are needed\./u);
  assert.ok(!/with a confidence of/u.test(words));
  const svg = (await download(page, page.locator(".chart .exports button", { hasText: "SVG" }).first())).bytes.toString();
  assert.ok(!/NaN|Infinity/.test(svg), "axes without ends");
  assert.deepEqual(trouble, []);
  await close();
});

test("the summary says what the shaded regions hold, and they are drawn", async () => {
  const said = {
    quantile: /The shaded regions hold 90.% of the responses computed at each time\./u,
    tolerance: /At each time the shaded regions hold 90.% of all machines, with a confidence of 95.%\./u,
    simultaneous:
      /The shaded bands hold the whole trajectories of 90.% of all machines, each component by itself, with a confidence of 95.%\./u,
    chebyshev: /Chebyshev’s inequality: whatever their law, at least 90.% of all machines are in them/u,
  };
  for (const [region, words] of Object.entries(said)) {
    writeFileSync(join(folder, "region.html"), makePage([{ region }]));
    const { page, trouble, close } = await open(browser, address("region.html"));
    assert.match(await page.locator("#summary .words").textContent(), words);
    const area = await page.evaluate(() => {
      const { label, upper, lower } = window.tumble.figures()[0].areas[0];
      return { label, width: upper.at(-1) - lower.at(-1) };
    });
    assert.match(
      area.label,
      { quantile: /^90.%$/u, tolerance: /^90.% tolerance$/u, simultaneous: /^90.% simultaneous$/u, chebyshev: /^90.% Chebyshev$/u }[region],
    );
    const sigmas = region === "quantile" ? 3.2 : 6;
    assert.ok(Math.abs(area.width - sigmas * 0.04) < 1e-12, `${region}: ${area.width}`);
    assert.deepEqual(trouble, []);
    await close();
  }
});

test("errors of chaos: bounds with their confidence where they were measured, guesses elsewhere", async () => {
  writeFileSync(join(folder, "measured.html"), makePage([{ method: "chaos", chaos: true, measured: true, groups: ["bob", "wire"] }]));
  writeFileSync(join(folder, "guessed.html"), makePage([{ method: "chaos", chaos: true }]));
  const labels = (page) =>
    page.evaluate(() =>
      window.tumble
        .figuresOf("chaos")
        .find((f) => f.title.startsWith("shares"))
        .areas.map((a) => a.label),
    );
  const first = await open(browser, address("measured.html"));
  // At the end: 0.1 of the largest variance itself, and from 0.04 to 0.25 of it.
  assert.match(
    await first.page.locator("#chaos").textContent(),
    /the polynomials miss 10.% \(4 … 25.% with 95.% confidence\), in .* x at t = 2.s\./u,
  );
  assert.match(await first.page.locator("#summary .words").textContent(), /gave the polynomial chaos and its errors; none failed/);
  assert.match(await first.page.locator("#trust").textContent(), /95.% bound of the error of the mean/u);
  assert.deepEqual(await labels(first.page), ["bob", "wire", "interactions"]);
  await first.close();
  const second = await open(browser, address("guessed.html"));
  assert.match(
    await second.page.locator("#summary .words").textContent(),
    /gave the polynomial chaos; its errors were not measured; none failed/,
  );
  assert.match(await second.page.locator("#trust").textContent(), /guessed error of the mean/);
  assert.deepEqual(await labels(second.page), ["a", HOSTILE, "interactions"], "a single group tells nothing");
  await second.close();
});

test("no columns for errors that nobody knows, and an account of energy without its curves", async () => {
  writeFileSync(join(folder, "bare.html"), makePage([{ errors: false, driven: true }]));
  const { page, close } = await open(browser, address("bare.html"));
  const heads = await page.getByRole("region", { name: "Errors of the statistics" }).locator("th").allTextContents();
  assert.deepEqual(heads.slice(0, 3), ["response", "largest std", "at"]);
  assert.ok(heads.length < 6, heads.join());
  assert.match(
    await page.locator("#trust").textContent(),
    /not drawn; with them the account closes to 0\.002.% of the energy exchanged\./u,
  );
  await close();
});

test("the figure of convergence has a band of two standard errors about its curve", async () => {
  const { page, trouble, close } = await open(browser, address("one.html"));
  const card = page.locator("#trust .card", { hasText: "Convergence with the number of realisations" });
  const csv = await download(page, card.locator(".exports button", { hasText: "CSV" }).first());
  const [head, ...rows] = csv.bytes.toString().trim().split("\r\n");
  assert.equal(head, 'realisations,mean square,"±2 standard errors, lower","±2 standard errors, upper"');
  const expected = [
    [8, 1, 0.6, 1.4],
    [16, 1.1, 0.9, 1.3],
    [32, 1.05, 0.91, 1.19],
    [64, 1.06, 0.96, 1.16],
  ];
  const found = rows.map((row) => row.split(",").map(Number));
  assert.equal(found.length, 4);
  found.forEach((row, i) => row.forEach((x, k) => assert.ok(Math.abs(x - expected[i][k]) < 1e-9, `${row} is not ${expected[i]}`)));
  assert.deepEqual(trouble, []);
  await close();
});

test("quantities of interest have their numbers with intervals, exceedance with its band, and density", async () => {
  const { page, trouble, close } = await open(browser, address("one.html"));
  const part = page.locator("#quantities");
  const rows = await part.locator("tbody tr").allTextContents();
  assert.equal(rows.length, 3);
  assert.match(rows[0], /^topm\/s3\.13 \(2\.86 … 3\.14\)0\.58 \(0\.52 … 0\.64\)2\.1 \(−∞ … 2\.3\)/u);
  assert.match(rows[2], /^latesnever/);
  assert.match(await part.innerText(), /probability that it happens\s*0\.5 \(0\.37 … 0\.63\)/u);
  assert.equal(await part.locator("article.card").count(), 3);
  assert.equal(await part.locator(".chart").count(), 4, "two charts each, but for what does not vary");
  const csv = await download(page, part.locator(".exports button", { hasText: "CSV" }).first());
  const lines = csv.bytes.toString().trim().split("\r\n");
  assert.equal(lines.length, 42);
  assert.match(lines[0], /^top \[m\/s\],/);
  const [q, exceeded] = lines[1].split(",").map(Number);
  assert.deepEqual([q, exceeded], [1.5, 1]);
  // Probabilities on a logarithmic axis: the same numbers.
  const label = () => part.locator(".chart .plot").first().getAttribute("aria-label");
  const before = await label();
  await part.locator("label.toggle").click();
  assert.equal(await label(), before);
  assert.ok((await inkOf(page, "#quantities article:nth-of-type(1) .chart:nth-child(1) canvas")).share > 0.005);
  assert.deepEqual(trouble, []);
  await close();
});

test("frequency responses are drawn with the region between their quantiles", async () => {
  writeFileSync(join(folder, "bands.html"), makePage([{ banded: true }]));
  const { page, trouble, close } = await open(browser, address("bands.html"));
  assert.ok((await sections(page)).includes("bands"));
  const part = page.locator("#bands");
  assert.match(await part.innerText(), /gain of tip\.position\.z by shake of amplitude 1, 1 to 100 Hz at 21 frequencies/u);
  const csv = await download(page, part.locator(".exports button", { hasText: "CSV" }).first());
  const lines = csv.bytes.toString().trim().split("\r\n");
  assert.equal(lines.length, 22);
  assert.match(lines[0], /^frequency \[Hz\],/);
  assert.match(lines[0], /90\s%\sregion/u);
  const columns = lines[0].split(",");
  const last = lines[21].split(",").map(Number);
  assert.equal(last[0], 100);
  assert.ok(Math.abs(last[columns.findIndex((name) => name.startsWith("mean"))] - 0.011) < 1e-12);
  assert.ok((await inkOf(page, "#bands article .chart canvas")).share > 0.005);
  await part.locator("label.toggle").click();
  assert.ok((await inkOf(page, "#bands article .chart canvas")).share > 0.005);
  assert.deepEqual(trouble, []);
  await close();
});

test("by chaos a quantity says which random inputs it varies with, the largest first", async () => {
  writeFileSync(join(folder, "shares.html"), makePage([{ method: "chaos", chaos: true, measured: true, groups: ["bob", "wire"] }]));
  const { page, trouble, close } = await open(browser, address("shares.html"));
  const rows = await page
    .locator("#quantities article")
    .first()
    .locator("tbody tr")
    .evaluateAll((all) => all.map((row) => [...row.querySelectorAll("td")].map((td) => td.textContent)));
  assert.deepEqual(rows, [
    ["bob", "0.8 (0.7 … 0.9)", "0.85 (0.75 … 0.95)"],
    [HOSTILE, "0.15 (0.1 … 0.2)", "0.2 (0.12 … 0.28)"],
  ]);
  assert.deepEqual(trouble, []);
  await close();
});

test("statistics that the page knows by their names alone are drawn where they are asked for", async () => {
  const { page, close } = await open(browser, address("one.html"));
  const labels = () => page.evaluate(() => window.tumble.figures()[0].lines.map((line) => line.label));
  assert.ok(!(await labels()).includes("largest value"));
  await page.locator("#curves").getByText("more statistics").click();
  assert.ok((await labels()).includes("largest value"));
  assert.ok(!(await labels()).includes("lopsidedness"), "it has another unit than the chart");
  assert.match(await page.locator("#curves").textContent(), /lopsidedness/);
  await close();
});

test("a page from a disk cannot connect to anything", async () => {
  const { page, close } = await open(browser, address("one.html"));
  const refused = await page.evaluate(() =>
    fetch("https://example.org/").then(
      () => "answered",
      () => "refused",
    ),
  );
  assert.equal(refused, "refused");
  const inline = await page.evaluate(() => {
    const script = document.createElement("script");
    script.textContent = "window.hacked = 2";
    document.head.append(script);
    return window.hacked;
  });
  assert.equal(inline, undefined, "a script that is not the page's own must not run");
  await close();
});

test("the nominal response jumps at a break, from its left limit to its right one", async () => {
  const { page, close } = await open(browser, address("one.html"));
  const jump = await page.evaluate((at) => {
    const figure = window.tumble.figures()[0];
    const nominal = figure.lines.find((line) => line.label === "nominal");
    return Array.from(figure.x)
      .map((t, i) => [t, nominal.y[i]])
      .filter(([t]) => t === at)
      .map(([, y]) => y);
  }, BREAK);
  assert.equal(jump.length, 2);
  assert.ok(Math.abs(jump[0] - Math.sin(0.6 * Math.cos(3.1 * BREAK))) < 1e-15);
  assert.equal(jump[1], 5);
  await close();
});

test("hovering shows time, values and unit; a click sets the time", async () => {
  const { page, close } = await open(browser, address("one.html"));
  const box = await plotBox(page);
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  const text = await page.locator("#curves .readout").first().textContent();
  assert.match(text, /t 1\.?\d*\u202fs/);
  assert.match(text, /nominal −?[\d.]+/);
  assert.match(text, / m$/);
  await page.mouse.click(box.x + box.width / 4, box.y + box.height / 2);
  assert.ok(Math.abs((await page.evaluate(() => window.tumble.time())) - 0.5) < 0.02);
  await close();
});

test("dragging zooms all axes, Shift and dragging pans, a double click shows all", async () => {
  const { page, close } = await open(browser, address("one.html"));
  const ranges = () => page.evaluate(() => window.tumble.ranges());
  const box = await plotBox(page);
  const drag = async (from, to) => {
    await page.mouse.move(box.x + from * box.width, box.y + 40);
    await page.mouse.down();
    await page.mouse.move(box.x + to * box.width, box.y + 44, { steps: 4 });
    await page.mouse.up();
  };
  await drag(0.25, 0.5);
  const zoomed = await ranges();
  assert.ok(zoomed.length > 1);
  for (const [low, high] of zoomed) assert.ok(Math.abs(low - 0.5) < 0.03 && Math.abs(high - 1) < 0.03, `${low} ${high}`);
  await page.keyboard.down("Shift");
  await drag(0.5, 0.25);
  await page.keyboard.up("Shift");
  const panned = (await ranges())[0];
  assert.ok(panned[0] > zoomed[0][0] + 0.05);
  assert.ok(Math.abs(panned[1] - panned[0] - (zoomed[0][1] - zoomed[0][0])) < 1e-9);
  await page.mouse.dblclick(box.x + box.width / 2, box.y + 40);
  assert.deepEqual((await ranges())[0], [0, TIMES[TIMES.length - 1]]);
  await close();
});

test("exports: SVG is well formed, CSV holds full precision, PNG is one", async () => {
  const { page, trouble, close } = await open(browser, address("one.html"));
  const button = (text) => page.locator("#curves .exports button", { hasText: text }).first();
  const svg = await download(page, button("SVG"));
  assert.match(svg.name, /\.svg$/);
  assert.equal(await xmlRoot(page, svg.bytes.toString()), "svg");
  assert.ok((svg.bytes.toString().match(/<path /g) ?? []).length >= 3);
  const csv = (await download(page, button("CSV"))).bytes.toString().trim().split("\r\n");
  const names = csv[0].split(",");
  assert.equal(names[0], "time [s]");
  const nominal = names.indexOf("nominal [m]");
  assert.equal(Number(csv[4].split(",")[nominal]), Math.sin(0.6 * Math.cos(3.1 * TIMES[3])));
  const png = await download(page, button("PNG"));
  assert.deepEqual([...png.bytes.subarray(1, 4)], [...Buffer.from("PNG")]);
  assert.deepEqual(trouble, []);
  await close();
});

test("the scene draws, and draws otherwise at another time", async () => {
  const { page, close } = await open(browser, address("one.html"));
  await page.waitForFunction(() => window.tumble.scene().drawn > 0);
  const first = await inkOf(page, "#scene canvas");
  assert.ok(first.share > 0.02, `only ${first.share} of the picture is drawn`);
  const before = await page.evaluate(() => window.tumble.scene().drawn);
  await page.waitForTimeout(400);
  assert.equal(await page.evaluate(() => window.tumble.scene().drawn), before, "nothing changed, yet pictures were drawn");
  await page.evaluate(() => window.tumble.setTime(0.5));
  await page.waitForFunction((n) => window.tumble.scene().drawn > n, before);
  const second = await inkOf(page, "#scene canvas");
  assert.notDeepEqual(first.shot, second.shot);
  await close();
});

test("the scene has the pixels of its place, and of the place that it gets", async () => {
  const { page, close } = await open(browser, address("one.html"));
  await page.waitForFunction(() => window.tumble.scene().drawn > 0);
  const fits = () => {
    const canvas = document.querySelector("#scene canvas");
    const pixels = (length) => Math.floor(length * Math.min(2, devicePixelRatio));
    const { clientWidth, clientHeight } = canvas.parentElement;
    return clientWidth > 0 && canvas.width === pixels(clientWidth) && canvas.height === pixels(clientHeight);
  };
  await page.waitForFunction(fits);
  const before = await page.evaluate(() => document.querySelector("#scene canvas").width);
  await page.setViewportSize({ width: 420, height: 700 });
  await page.waitForFunction((width) => document.querySelector("#scene canvas").width !== width, before);
  await page.waitForFunction(fits);
  await close();
});

test("elements of kinds that the page does not know are drawn, with their names", async () => {
  const { page, close } = await open(browser, address("one.html"));
  await page.waitForFunction(() => window.tumble.scene().drawn > 0);
  const names = await page.evaluate(() => window.tumble.scene().names);
  for (const name of ["spring, spring", "new link, of tomorrow", "new load, of tomorrow", "new joint, of tomorrow joint"])
    assert.ok(names.includes(name), `${name} is not among ${names.join("; ")}`);
  await close();
});

test("without WebGL the page says so and the rest works", async () => {
  const bare = await launch({ webgl: false });
  try {
    const { page, close } = await open(bare, address("one.html"));
    assert.match(await page.locator("#scene").textContent(), /no WebGL/);
    assert.ok((await page.evaluate(() => window.tumble.figures().length)) > 0);
    await close();
  } finally {
    await bare.close();
  }
});

test("keyboard alone: play, scrub, tabs, zoom and the theme", async () => {
  const { page, close } = await open(browser, address("one.html"));
  const time = () => page.evaluate(() => window.tumble.time());
  await page.keyboard.press("ArrowRight");
  assert.ok(Math.abs((await time()) - 0.02) < 1e-9);
  await page.keyboard.press("Shift+ArrowRight");
  assert.ok(Math.abs((await time()) - 0.22) < 1e-9);
  await page.keyboard.press("Space");
  await page.waitForFunction(() => window.tumble.time() > 0.3);
  await page.keyboard.press("Space");
  const stopped = await time();
  await page.waitForTimeout(200);
  assert.equal(await time(), stopped);

  // Every control can be reached by Tab and shows that it has the focus.
  const reached = new Set();
  for (let i = 0; i < 60 && !(reached.has("tab") && reached.has("Time")); ++i) {
    await page.keyboard.press("Tab");
    const now = await page.evaluate(() => {
      const element = document.activeElement;
      const style = getComputedStyle(element);
      return {
        name: element.getAttribute("aria-label") ?? element.textContent.slice(0, 30),
        role: element.getAttribute("role"),
        visible: style.outlineStyle !== "none" || element === document.body,
      };
    });
    assert.ok(now.visible, `the focus on "${now.name}" is not seen`);
    reached.add(now.role === "tab" ? "tab" : now.name);
    if (now.role === "tab") {
      await page.keyboard.press("ArrowRight");
      assert.equal(await page.evaluate(() => window.tumble.figures()[0].unit), "rad/s");
      assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-selected")), "true");
      await page.keyboard.press("ArrowLeft");
      assert.equal(await page.evaluate(() => window.tumble.figures()[0].unit), "m");
    }
  }
  for (const name of ["Switch to dark colours", "tab", "Play", "Time", "Copy"]) assert.ok(reached.has(name), `${name} was not reached`);
  await page.locator("#curves .plot").first().focus();
  await page.keyboard.press("+");
  assert.ok((await page.evaluate(() => window.tumble.ranges()))[0][1] < 2);
  await page.locator("header.top > button").focus();
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => window.tumble.theme()), "dark");
  await close();
});

test("dark where the system is dark, and nothing wider than a telephone", async () => {
  const { page, trouble, close } = await open(browser, address("one.html"), { colorScheme: "dark", width: 400 });
  assert.equal(await page.evaluate(() => window.tumble.theme()), "dark");
  const [red, green, blue] = (await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).match(/\d+/g).map(Number);
  assert.ok(red + green + blue < 150);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 400);
  assert.deepEqual(trouble, []);
  await close();
});

test("several studies: tabs, comparison, chaos against sampling", async () => {
  const { page, trouble, close } = await open(browser, address("two.html"));
  assert.deepEqual(await sections(page), ["summary", "scene", "curves", "quantities", "compare", "chaos", "inputs", "fields", "trust"]);
  assert.match(await page.locator("#chaos").textContent(), /sampling, 64/);
  assert.equal(await page.locator("#compare tbody tr").count(), 2);
  await page.getByRole("tab", { name: "sampled" }).click();
  await page.evaluate(() => window.tumble.ready());
  assert.deepEqual(await sections(page), ["summary", "scene", "curves", "quantities", "compare", "inputs", "fields", "trust"]);
  assert.deepEqual(trouble, []);
  await close();
});

test("a live page follows its study and loads the finished one", async () => {
  let asked = 0;
  const server = createServer((request, answer) => {
    const done = asked >= 3;
    if (request.url === "/status") {
      ++asked;
      answer.setHeader("content-type", "application/json");
      answer.end(JSON.stringify(done ? { done } : { done, finished: 16 * asked, rate: 20, failed: 1 }));
    } else {
      answer.setHeader("content-type", "text/html");
      answer.end(done ? makePage([{ title: "finished" }]) : makePage([], { live: { status: "status" } }));
    }
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  const home = `http://127.0.0.1:${server.address().port}/`;
  try {
    const { page, trouble, close } = await open(browser, home, { allow: (url) => url === `${home}status` || url === `${home}favicon.ico` });
    await page.waitForFunction(() =>
      /\d+ realisations so far · 1 failed · 20 per second/.test(document.querySelector(".live")?.textContent ?? ""),
    );
    await page.waitForFunction(() => document.querySelector("h1")?.textContent === "finished");
    assert.equal(await page.locator(".live").count(), 0);
    assert.deepEqual(trouble, []);
    await close();
  } finally {
    server.close();
  }
});
