/** Builds page.js (node build.js FILE), with the notice of what it contains, as its licence asks. */
import { build } from "esbuild";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL(".", import.meta.url));
const { dependencies } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
const names = Object.entries(dependencies).map(([name, version]) => `${name} ${version}`);
const licence = readFileSync(`${folder}/node_modules/d3-scale/LICENSE`, "utf8").trim();

await build({
  absWorkingDir: folder,
  entryPoints: ["page.ts"],
  outfile: process.argv[2],
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  charset: "ascii",
  banner: { js: `/* With ${names.join(", ")} and what they import (https://d3js.org), under this licence:\n\n${licence} */` },
});
