/**
 * 02. An operator of your own, and a grammar that knows what makes no sense.
 *
 * An operator is one scalar term. Its graph in tensors, its value in numbers, its derivative, its text in every notation,
 * its complexity and its domain follow from that term; there is nothing else to register.
 *
 *     npm run ts -- examples/02_your_own_operator.ts
 */
import * as Effect from "effect/Effect"
import { infix } from "vasst/expr/text/infix"
import { latex } from "vasst/expr/text/latex"
import { sympy } from "vasst/expr/text/sympy"
import * as Grammar from "vasst/prob/Grammar"
import * as Operator from "vasst/expr/Operator"
import * as Term from "vasst/expr/Term"
import * as Vasst from "vasst/models/vasst"
import * as Rank from "vasst/rank/Rank"
import * as Backend from "vasst/vi/Backend"
import * as Infer from "vasst/vi/Infer"
import * as Data from "vasst/data/Data"
import * as Rng from "vasst/random/Rng"

const gauss = Operator.unary("gauss", (x) => Term.exp(Term.neg(Term.square(x))))

const grammar = Grammar.make({
  features: ["x0", "x1"],
  operators: [Operator.mul, Operator.sin, gauss],
}).pipe(
  // By construction: a node that would be a sine inside a sine is a leaf instead, and nothing is rejected.
  Grammar.forbid({ inside: "sin", operator: "sin" }),
  Grammar.forbid({ inside: "gauss", operator: "gauss" }),
)

console.log(`gauss(x)      ${infix(gauss.term)}`)
console.log(`its slope     ${infix(Term.simplify(Term.derivative(gauss.term, "x")))}`)
console.log(`in LaTeX      ${latex(gauss.term)}`)
console.log(`for SymPy     ${sympy(gauss.term)}`)
console.log(`complexity    ${gauss.complexity}\n`)

// y = 3 exp(-x0^2) sin(x1) with noise
const random = Rng.generator(Rng.key(1))
const X = Array.from({ length: 300 }, () => [4 * random.next() - 2, 6 * random.next()] as const)
const y = X.map(([x0, x1]) => 3 * Math.exp(-(x0 ** 2)) * Math.sin(x1) + 0.1 * random.normal())

const program = Effect.gen(function* () {
  const data = yield* Data.fromRows({ X, y })
  const model = Vasst.model(grammar, 1, 2) // one tree of depth 2; all else is the paper's
  const ranking = yield* Infer.fit(model, data).pipe(
    Effect.flatMap(Rank.fromPosterior({ train: data, draws: 4000, key: Rng.key(2) })),
    Effect.provide(Vasst.inference(model, { steps: 100 })),
  )
  for (const { lmpse, posterior, expression } of ranking.pipe(Rank.by(Rank.lmpse), Rank.top(3)).models)
    console.log(
      `${lmpse.toFixed(1)}  ${posterior.toPrecision(2)}  y = ${infix(expression, { precision: 3 })}`,
    )
})

await Effect.runPromise(program.pipe(Effect.provide(Backend.layer())))
