/**
 * The committed benchmark page: `npm run bench` writes docs/benchmarks.md. Every figure is measured in one go, the
 * contenders of a section in turn, each in a process of its own; ratios are what counts, the rest depends on the machine.
 *
 *     npm run bench -- [--only step,fit,growth,hard,roofline] [--rounds 3]
 *
 * With `--only`, sections are printed and the page is left alone. Python packages are looked for in the virtual environment
 * PEERS_HOME/venv, the paper's method in PyTorch (vasst_torch.py) in the folder PEERS_SCRIPTS; a package that is not there is left out,
 * and the page says so.
 */
import { execFileSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { cpus } from "node:os"
import { options } from "../harness/options.ts"
import { blocks } from "../harness/markdown.ts"
import { provenance } from "../harness/provenance.ts"
import * as Fit from "./sections/fit.ts"
import * as Growth from "./sections/growth.ts"
import * as Hard from "./sections/hard.ts"
import * as Roofline from "./sections/roofline.ts"
import * as Step from "./sections/step.ts"

const sections = [Step.section, Fit.section, Growth.section, Hard.section, Roofline.section]

const { values } = options(import.meta.url, {
  options: { only: { type: "string" }, rounds: { type: "string", default: "3" } },
})
const rounds = Number(values.rounds)
const names = values.only?.split(",")
const unknown = names?.find((name) => sections.every((section) => section.name !== name))
if (unknown !== undefined) throw new Error(`there is no section ${unknown}`)
const chosen = sections.filter(({ name }) => names?.includes(name) ?? true)

const root = new URL("../../", import.meta.url).pathname
const command = (file: string, ...parameters: ReadonlyArray<string>): void => {
  execFileSync(process.execPath, [file, ...parameters], { cwd: root, stdio: ["ignore", 2, 2] })
}
// The bare kernel must be checked before sections compare with it, and the command must be built before it is measured.
if (chosen.includes(Step.section) || chosen.includes(Roofline.section)) command("bench/speed/bare/check.ts")
if (chosen.includes(Fit.section)) {
  command("node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json")
  command("scripts/bundle.mjs")
}

// Before the sections run: a commit made meanwhile measured nothing.
const by = provenance(["src", "bench/speed", "bench/harness"])
const written = chosen.map((section) => section.write(rounds))
if (names === undefined) {
  const page = blocks(
    "# Benchmarks",
    `Written by \`npm run bench\` (${by}, ${cpus().length} cores), which takes Python packages from the virtual
environment \`PEERS_HOME/venv\` and the paper's method in PyTorch from the folder \`PEERS_SCRIPTS\`. Missing contenders are
left out.`,
    ...written,
  )
  const file = new URL("../../docs/benchmarks.md", import.meta.url).pathname
  writeFileSync(file, `${page}\n`)
  command("node_modules/prettier/bin/prettier.cjs", "--log-level=warn", "--write", file)
} else console.log(blocks(...written))
