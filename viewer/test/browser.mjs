// Debian's Chromium, without a window and without a network, drawing WebGL in software.
import { chromium } from "playwright-core";

const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
// WebGL in software; the rest of the page is faster without it.
const SOFTWARE_GL = ["--enable-unsafe-swiftshader", "--disable-gpu-rasterization", "--disable-accelerated-2d-canvas"];

export const launch = ({ webgl = true } = {}) =>
  chromium.launch({
    executablePath: process.env.TUMBLE_CHROMIUM ?? "/usr/bin/chromium",
    args: [...FLAGS, ...(webgl ? SOFTWARE_GL : ["--disable-gpu", "--disable-3d-apis"])],
  });

/** Opens a page and waits until it is complete; `trouble` collects console errors and requests beyond the page itself. */
export async function open(browser, address, { width = 1360, height = 900, colorScheme = "light", allow = () => false } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme, acceptDownloads: true });
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  const trouble = [];
  page.on("console", (message) => {
    // Software WebGL is slow and says so; that is no fault of the page.
    const slow = message.text().includes("GL Driver Message (OpenGL, Performance");
    if (["error", "warning"].includes(message.type()) && !slow) trouble.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => trouble.push(`error: ${error.message}`));
  page.on("request", (request) => {
    const url = request.url();
    if (url.split("#")[0] !== address && !url.startsWith("blob:") && !url.startsWith("data:") && !allow(url))
      trouble.push(`request: ${url}`);
  });
  await page.goto(address);
  await page.evaluate(() => window.tumble.ready());
  return { page, trouble, close: () => context.close() };
}

/** Share of a picture that differs from its own corner, and the picture. */
export async function inkOf(page, selector) {
  const shot = await page.locator(selector).screenshot();
  const share = await page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const canvas = document.createElement("canvas");
    canvas.width = image.width;
    canvas.height = image.height;
    const g = canvas.getContext("2d");
    g.drawImage(image, 0, 0);
    const { data } = g.getImageData(0, 0, image.width, image.height);
    const at = 4 * (6 * image.width + image.width - 6); // inside the frame, right of all labels
    let differ = 0;
    for (let i = 0; i < data.length; i += 4)
      if (Math.abs(data[i] - data[at]) + Math.abs(data[i + 1] - data[at + 1]) + Math.abs(data[i + 2] - data[at + 2]) > 24) ++differ;
    return differ / (data.length / 4);
  }, shot.toString("base64"));
  return { share, shot };
}

/** A well-formed document of that root element, by the browser's own parser. */
export const xmlRoot = (page, text) =>
  page.evaluate((xml) => {
    const parsed = new DOMParser().parseFromString(xml, "image/svg+xml");
    return parsed.querySelector("parsererror") ? null : parsed.documentElement.nodeName;
  }, text);

/** Clicks a button that saves a file, and gives its name and text. */
export async function download(page, button) {
  const [file] = await Promise.all([page.waitForEvent("download"), button.click()]);
  const chunks = [];
  for await (const chunk of await file.createReadStream()) chunks.push(chunk);
  return { name: file.suggestedFilename(), bytes: Buffer.concat(chunks) };
}
