// Colours must be told apart by everyone: contrast with what is behind them, and distance from each other as
// people with and without colour blindness see them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

const source = buildSync({
  entryPoints: [fileURLToPath(new URL("../src/palette.ts", import.meta.url))],
  bundle: true,
  write: false,
  format: "esm",
}).outputFiles[0].text;
const { LIGHT, DARK } = await import(`data:text/javascript;base64,${Buffer.from(source).toString("base64")}`);

const linear = (hex) =>
  [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
const times = (m, v) => m.map((row) => row.reduce((sum, x, i) => sum + x * v[i], 0));

// Machado, Oliveira and Fernandes (2009), severity 1, on linear RGB.
const SIGHTS = {
  full: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

/** CIE L*a*b* under D65. */
function lab(rgb) {
  const xyz = times(
    [
      [0.4124564, 0.3575761, 0.1804375],
      [0.2126729, 0.7151522, 0.072175],
      [0.0193339, 0.119192, 0.9503041],
    ],
    rgb,
  );
  const [x, y, z] = xyz
    .map((v, i) => v / [0.95047, 1, 1.08883][i])
    .map((t) => (t > 216 / 24389 ? Math.cbrt(t) : ((24389 / 27) * t + 16) / 116));
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const distance = (a, b, sight) => {
  const [p, q] = [a, b].map((hex) => lab(times(SIGHTS[sight], linear(hex)).map((v) => Math.min(1, Math.max(0, v)))));
  return Math.hypot(...p.map((v, i) => v - q[i]));
};

/** Contrast ratio of the Web Content Accessibility Guidelines 2.1. */
const contrast = (a, b) => {
  const [high, low] = [a, b].map((hex) => times([[0.2126, 0.7152, 0.0722]], linear(hex))[0]).sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
};

for (const [name, palette] of Object.entries({ light: LIGHT, dark: DARK })) {
  test(`${name}: text and marks stand out from what is behind them`, () => {
    for (const back of [palette.paper, palette.panel]) {
      for (const text of ["ink", "soft"]) assert.ok(contrast(palette[text], back) >= 4.5, `${text}: ${contrast(palette[text], back)}`);
      for (const mark of ["mean", "now", "random", "fail"])
        assert.ok(contrast(palette[mark], back) >= 3, `${mark}: ${contrast(palette[mark], back)}`);
    }
    palette.series.forEach((color, i) =>
      assert.ok(contrast(color, palette.panel) >= 2.8, `series ${i}: ${contrast(color, palette.panel)}`),
    );
  });

  for (const sight of Object.keys(SIGHTS)) {
    test(`${name}: series are told apart, ${sight}`, () => {
      const pairs = palette.series.flatMap((a, i) => palette.series.slice(i + 1).map((b, k) => [i, i + 1 + k, distance(a, b, sight)]));
      for (const [i, k, d] of pairs) assert.ok(d >= 11, `series ${i} and ${k}: ${d.toFixed(1)}`);
      for (const [a, b] of [
        ["mean", "now"],
        ["mean", "ink"],
        ["mean", "random"],
        ["now", "ink"],
      ])
        assert.ok(distance(palette[a], palette[b], sight) >= 20, `${a} and ${b}: ${distance(palette[a], palette[b], sight)}`);
    });
  }
}
