/**
 * Gives the reader of formulas texts that nobody would write, for an hour, and compares what it reads with another reader:
 *
 *     npm run fuzz -- [--minutes 60] [--seed N] [--out FILE.json]
 *
 * The seed is that of the clock unless one is given. Each kind of fault is printed once, and all are written to FILE with the
 * number of texts; the exit code is 1 then. verdict.ts says what has to hold. Texts that show something new are kept and changed further.
 */
import { writeFileSync } from "node:fs"
import * as Rng from "../../src/random/Rng.ts"
import { options } from "../harness/options.ts"
import { provenance } from "../harness/provenance.ts"
import * as Texts from "./texts.ts"
import * as Verdict from "./verdict.ts"

const { values } = options(import.meta.url, {
  options: { minutes: { type: "string", default: "60" }, seed: { type: "string" }, out: { type: "string" } },
})
const seed = values.seed === undefined ? Date.now() : Number(values.seed)
const limit = 60_000 * Number(values.minutes)
const random = Rng.generator(Rng.fold(Rng.key(seed), "formulas"))

const known = [...Texts.seeds]
const features = new Set<string>()
/** The first text of each kind of fault. */
const found = new Map<string, string>()
let [texts, read, slowest, characters] = [0, 0, 0, 0]
let slow = ""
const began = performance.now()

const report = () => ({
  seed,
  minutes: Math.round((performance.now() - began) / 6000) / 10,
  texts,
  read,
  characters,
  kinds: features.size,
  slowest: { milliseconds: Math.round(slowest), text: slow.slice(0, 200) },
  found: Object.fromEntries(found),
  with: provenance(["src/expr", "src/cli/rows", "bench/fuzz"]),
})
const save = (): void => {
  if (values.out !== undefined) writeFileSync(values.out, `${JSON.stringify(report(), null, 2)}\n`)
}

let saved = began
while (performance.now() - began < limit) {
  const text = Texts.next(random, known)
  const start = performance.now()
  const verdict = Verdict.of(text)
  const took = performance.now() - start
  texts++
  characters += text.length
  if (verdict.read) read++
  if (took > slowest) [slowest, slow] = [took, text]
  const fresh = verdict.features.filter((feature) => !features.has(feature))
  for (const feature of fresh) features.add(feature)
  // Text by text, the list is bounded by the number of features.
  if (fresh.length > 0 && text.length <= 300) known.push(text)
  if (verdict.wrong !== undefined) {
    const kind = verdict.wrong.replaceAll(/[-\d.e+]+|"[^]*"/g, "_").slice(0, 80)
    const before = found.get(kind)
    if (before === undefined) console.log(`${JSON.stringify(text)}: ${verdict.wrong}`)
    if (before === undefined || text.length < before.length) found.set(kind, text)
  }
  if (performance.now() - saved > 30_000) {
    saved = performance.now()
    save()
  }
}
save()
console.log(
  `${texts} texts, of which ${read} are formulas, in ${report().minutes} minutes; seed ${seed}; ${found.size} kinds of faults`,
)
process.exitCode = found.size === 0 ? 0 : 1
