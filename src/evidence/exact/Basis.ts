import { leastSquares } from "../../numeric/leastSquares.ts"
import * as Term from "../../expr/Term.ts"
import { affine, type Affine, toTerm } from "./AdditiveTerms.ts"

/**
 * The terms of a model as affine combinations of cores, which have no constant terms or factors:
 * f_k = constant_k + sum_j mix_kj core_j. Hypotheses about exact constants concern the coefficients of the cores, so that
 * the coefficients of 2 x + 3 and of x / 5 are both those of x.
 */
export interface Basis {
  readonly cores: ReadonlyArray<Term.Term>
  /** constants of the terms, length K */
  readonly constants: ReadonlyArray<number>
  /** the coefficients of the cores, K rows, one column for each core */
  readonly mix: ReadonlyArray<Float64Array>
}

/** The connected components of the terms, where two terms are connected if they share a core. */
const groups = (terms: ReadonlyArray<Affine>): ReadonlyArray<ReadonlyArray<number>> => {
  const group = terms.map((_, k) => k)
  const owner = new Map<string, number>()
  terms.forEach(({ addends }, k) => {
    for (const { core } of addends) {
      const key = Term.key(core)
      const other = owner.get(key)
      if (other === undefined) owner.set(key, k)
      else {
        const [from, to] = [group[k]!, group[other]!]
        group.forEach((value, index) => {
          if (value === from) group[index] = to
        })
      }
    }
  })
  return [...new Set(group)].map((one) => terms.map((_, k) => k).filter((k) => group[k] === one))
}

/** A term as a multiple of one core, the sum of all its cores. */
const whole = ({ addends }: Affine): Affine => {
  const size = Math.abs(addends[0]!.coefficient)
  const core = toTerm({
    constant: 0,
    addends: addends.map(({ coefficient, core }) => ({ coefficient: coefficient / size, core })),
  })
  return { constant: 0, addends: [{ coefficient: size, core }] }
}

/**
 * The basis of terms. Terms that share cores are split into these cores if that gives no more cores than terms: x + y and
 * x are split into x and y. Otherwise each term is one core: x - y alone is not split.
 */
export const of = (terms: ReadonlyArray<Term.Term>): Basis => {
  const affines = terms.map(affine)
  const used = affines.slice()
  for (const members of groups(affines)) {
    const cores = new Set(members.flatMap((k) => affines[k]!.addends.map(({ core }) => Term.key(core))))
    if (cores.size > members.length)
      for (const k of members) used[k] = { ...whole(affines[k]!), constant: affines[k]!.constant }
  }
  const cores = new Map<string, Term.Term>()
  for (const { addends } of used) for (const { core } of addends) cores.set(Term.key(core), core)
  const order = new Map([...cores.keys()].map((key, j) => [key, j]))
  return {
    cores: [...cores.values()],
    constants: used.map(({ constant }) => constant),
    mix: used.map(({ addends }) => {
      const row = new Float64Array(order.size)
      for (const { core, coefficient } of addends) row[order.get(Term.key(core))!]! += coefficient
      return row
    }),
  }
}

/** The basis in which every term is its own core. */
export const trivial = (terms: ReadonlyArray<Term.Term>): Basis => ({
  cores: terms,
  constants: terms.map(() => 0),
  mix: terms.map((_, k) => Float64Array.from(terms, (__, j) => (j === k ? 1 : 0))),
})

/** Coefficients of the cores, intercept first, from those of the terms. */
export const toCores = ({ cores, constants, mix }: Basis, b: ArrayLike<number>): Float64Array => {
  const out = new Float64Array(cores.length + 1)
  out[0] = constants.reduce((sum, value, k) => sum + value * b[k + 1]!, b[0]!)
  mix.forEach((row, k) => {
    row.forEach((value, j) => {
      out[j + 1]! += value * b[k + 1]!
    })
  })
  return out
}

/**
 * Coefficients of the terms, intercept first, from those of the cores, by least squares: the inverse of `toCores` where
 * it has one.
 */
export const toTerms = ({ constants, mix }: Basis, c: Float64Array): Float64Array => {
  const slopes = mix.length === 0 ? new Float64Array(0) : leastSquares(mix, c.subarray(1)).coefficients
  const intercept = slopes.reduce((sum, value, k) => sum - value * constants[k]!, c[0]!)
  return Float64Array.of(intercept, ...slopes)
}
