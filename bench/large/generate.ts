/**
 * A table of any number of rows, of the law y = 2.31 x0 exp(-0.37 x1) with noise of a standard deviation of 0.1; x2 has no say in it:
 *
 *     npm run --silent ts -- bench/large/generate.ts ROWS FILE.csv
 *
 * The same rows at every run, on every machine.
 */
import { closeSync, openSync, writeSync } from "node:fs"
import { complain, options } from "../harness/options.ts"
import { random } from "../harness/random.ts"

const { positionals } = options(import.meta.url, { allowPositionals: true })
const [count, file] = positionals
const rows = Number(count)
if (!Number.isInteger(rows) || rows < 1 || file === undefined) complain("give the number of rows and a file")

const next = random()
/** In [1, 5), with three digits. */
const feature = (): number => Math.round(1000 * (1 + 4 * next())) / 1000
const out = openSync(file, "w")
let text = "x0,x1,x2,y\n"
for (let row = 0; row < rows; row++) {
  const [x0, x1, x2] = [feature(), feature(), feature()]
  const error = Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
  text += `${x0},${x1},${x2},${(2.31 * x0 * Math.exp(-0.37 * x1) + 0.1 * error).toFixed(4)}\n`
  if (text.length > 2 ** 20) {
    writeSync(out, text)
    text = ""
  }
}
writeSync(out, text)
closeSync(out)
