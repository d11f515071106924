/**
 * One problem, in a process of its own: `node one.ts SET EQUATION NOISE SEED SECONDS [VARIANT [units]]`. Writes a line of JSON for every
 * improvement and one at the end (`Message` of record.ts).
 */
import { compileColumn } from "../../src/expr/evaluate.ts"
import { sympy } from "../../src/expr/text/sympy.ts"
import type { Term } from "../../src/expr/Term.ts"
import type { Dataset } from "../../src/data/Data.ts"
import { rSquared, sample } from "./data.ts"
import { benchmark, equation, units } from "./equations.ts"
import type { Message } from "./record.ts"
import { solve } from "./solve.ts"

const [set = "", name = "", noise = "", seed = "", seconds = "", variant = "", measured = ""] =
  process.argv.slice(2)
const problem = benchmark(set)
const { train, test } = sample(problem, equation(problem, name), Number(noise), Number(seed))

const say = (message: Message): void => {
  process.stdout.write(`${JSON.stringify(message)}\n`)
}

const values = (term: Term, { features, columns, rows }: Dataset): Float64Array => {
  const out = new Float64Array(rows)
  compileColumn(term, features)(columns, out)
  return out
}

const finite = (x: number): number | null => (Number.isFinite(x) ? x : null)

const report = (term: Term): { readonly expression: string; readonly r2: number | null } => ({
  expression: sympy(term),
  r2: finite(rSquared(test.y, values(term, test))),
})

const solution = await solve(
  train,
  { seconds: Number(seconds), seed: Number(seed) },
  ({ seconds, expression }) => say({ improvement: { seconds, ...report(expression) } }),
  variant === "" ? undefined : variant,
  measured === "units" ? units[name] : undefined,
)
say({
  ending: {
    ...report(solution.expression),
    complexity: finite(solution.complexity),
    probability: solution.probability,
    seconds: solution.seconds,
    found: solution.found ?? null,
    cpu: solution.cpu,
    stop: solution.stop,
  },
})
