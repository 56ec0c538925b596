// Builds dist/report.html: the one file that `tumble report` fills with a study.
//
// Script and style are inline, and the page's Content-Security-Policy names their hashes: nothing else
// runs in the page, whatever a model's names hold, and nothing can be fetched from elsewhere.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const PLACEHOLDERS = ["<!--tumble:title-->", "/*tumble:report*/", "/*tumble:blob*/"];

/** One bundle as text. A closing tag inside of it would end the element that holds it. */
async function bundle(entry) {
  const result = await build({
    entryPoints: [join(here, entry)],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: ["es2021"],
    charset: "utf8",
    legalComments: "none", // the licences are at the end of the page, in full
  });
  return result.outputFiles[0].text
    .trim()
    .replace(/<\/(script|style)/gi, "<\\/$1")
    .replace(/<!--/g, "\\x3C!--");
}

const sha256 = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** What the licences of the bundled packages ask to travel with them. */
function licences(names) {
  const texts = names.map((name) => `${name}\n\n${readFileSync(join(here, "node_modules", name, "LICENSE"), "utf8").trim()}`);
  return texts.join("\n\n").replaceAll("--", "- -");
}

const script = await bundle("src/main.ts");
const style = await bundle("src/style/page.css");
const parts = {
  POLICY: [
    "default-src 'none'",
    `script-src ${sha256(script)}`,
    `style-src ${sha256(style)}`,
    "img-src data: blob:",
    "connect-src 'self'", // src/main.ts forbids this too unless the page is served live
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; "),
  STYLE: style,
  SCRIPT: script,
  LICENCES: licences(["three", "uplot"]),
};
const page = readFileSync(join(here, "src/page.html"), "utf8").replace(/@@([A-Z]+)@@/g, (_, name) => parts[name]);

for (const placeholder of PLACEHOLDERS) {
  const count = page.split(placeholder).length - 1;
  if (count !== 1) throw new Error(`the template holds ${placeholder} ${count} times, must be once`);
}
mkdirSync(join(here, "dist"), { recursive: true });
writeFileSync(join(here, "dist/report.html"), page);
console.log(`dist/report.html: ${(page.length / 1024).toFixed(0)} KiB`);
