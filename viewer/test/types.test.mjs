// What real reports hold is what src/payload.ts says: each payload is handed to the TypeScript compiler as a literal of the type
// Report, which finds members that are missing, unknown or of another type. Every page below the directory TUMBLE_REPORTS.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const root = process.env.TUMBLE_REPORTS;
const source = resolve(dirname(fileURLToPath(import.meta.url)), "../src");

const parsed = new Map(); // the compiler's own libraries are the same for all

/** What the compiler says of a payload, one sentence for each mistake. */
function mistakes(payload) {
  const file = join(source, "payload-of-a-report.ts");
  const text = `import type { Report } from "./payload";\nexport const report: Report = ${payload};\n`;
  const options = { target: ts.ScriptTarget.ES2021, lib: ["lib.es2021.d.ts"], strict: true, skipLibCheck: true, noEmit: true, types: [] };
  const host = ts.createCompilerHost(options);
  const { fileExists, getSourceFile } = host;
  host.fileExists = (name) => name === file || fileExists(name);
  host.getSourceFile = (name, ...rest) => {
    if (name === file) return ts.createSourceFile(name, text, rest[0]);
    if (!parsed.has(name)) parsed.set(name, getSourceFile(name, ...rest));
    return parsed.get(name);
  };
  const found = ts.getPreEmitDiagnostics(ts.createProgram([file], options, host));
  return found.map(({ start, messageText }) => `${ts.flattenDiagnosticMessageText(messageText, " ")} at: ${text.slice(start, start + 80)}`);
}

test("the compiler finds what does not belong", () => {
  const report = { format: 1, generator: "tumble", studies: [] };
  assert.deepEqual(mistakes(JSON.stringify(report)), []);
  assert.match(mistakes(JSON.stringify({ ...report, unheard_of: 1 })).join(), /unheard_of/);
  assert.match(mistakes(JSON.stringify({ ...report, generator: 1 })).join(), /'number' is not assignable to type 'string'/);
  assert.match(mistakes(JSON.stringify({ format: 1, studies: [] })).join(), /generator/);
});

function find(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return find(path);
    return entry.name.endsWith(".html") ? [path] : [];
  });
}

for (const file of root ? find(root).sort() : [])
  test(`${relative(root, file)}: of the type Report`, () => {
    const page = readFileSync(file, "utf8");
    const payload = /<script id="tumble-report" type="application\/json">(.*?)<\/script>/s.exec(page);
    assert.ok(payload, "no payload");
    assert.deepEqual(mistakes(payload[1]), []);
  });
