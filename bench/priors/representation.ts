import type { Law } from "./corpus.ts"
import { termOf } from "./corpus.ts"
import * as NormalForm from "./normalForm.ts"
import * as Sums from "./sum.ts"
import * as Trees from "./tree.ts"

/** A law as the model has it: a link, terms with free coefficients, and perhaps an intercept. */
export interface Representation {
  readonly link: string
  readonly trees: ReadonlyArray<Trees.Tree>
  readonly intercept: Sums.Amount
  readonly coefficients: ReadonlyArray<Sums.Amount>
}

/** A law with its representation. */
export interface Represented extends Representation {
  readonly law: Law
}

/** g(y) for each link of the library. */
const links: Readonly<Record<string, (y: Sums.Sum) => Sums.Sum>> = {
  identity: (y) => y,
  square: (y) => Sums.power(y, 2),
  sqrt: (y) => Sums.power(y, 0.5),
  inverse: (y) => Sums.power(y, -1),
  inverseSquare: (y) => Sums.power(y, -2),
  log: (y) => Sums.call("log", y),
  exp: (y) => Sums.call("exp", y),
  sin: (y) => Sums.call("sin", y),
  cos: (y) => Sums.call("cos", y),
  arcsin: (y) => Sums.call("asin", y),
}

export const linkNames: ReadonlyArray<string> = Object.keys(links)

const of = (link: string, { constant, monomials }: Sums.Sum): Representation => ({
  link,
  trees: monomials.map(Trees.ofTerm),
  intercept: constant,
  coefficients: monomials.map(({ coefficient }) => coefficient),
})

/** All representations of a law: each link, with products of sums as they are, multiplied out, or squares too. */
export const all = ({ formula }: Law): ReadonlyArray<Representation> => {
  const y = NormalForm.of(termOf(formula))
  return linkNames.flatMap((link) => {
    const z = links[link]!(y)
    const forms = new Map(
      [z, NormalForm.distributed(z), NormalForm.distributed(z, 2)].map((sum) => [Sums.key(sum), sum]),
    )
    return [...forms.values()].map((sum) => of(link, sum))
  })
}
