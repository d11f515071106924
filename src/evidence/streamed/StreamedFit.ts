import type { Dataset } from "../../data/Dataset.ts"
import type { Chunk } from "../../data/Chunks.ts"
import { columnOf } from "../../expr/columnOf.ts"
import { compileColumn } from "../../expr/evaluate.ts"
import * as Term from "../../expr/Term.ts"
import { leastSquares } from "../../numeric/leastSquares.ts"
import * as BasisFunctions from "../exact/BasisFunctions.ts"
import { numbered, type NumberedLaw } from "../fitted/FittedLaw.ts"
import * as Moments from "./Moments.ts"

/** The law b_0 + sum_k b_k f_k(x, c) with its coefficients and the constants c inside of terms as names. */
export interface Form extends NumberedLaw {
  /** the number of coefficients, K + 1: the first names, the intercept's first of all */
  readonly coefficients: number
  /** whether the intercept is fitted; 0 if not */
  readonly open: boolean
  /** the columns of names that are fitted: the derivatives of the law */
  readonly slopes: ReadonlyArray<Term.Term>
}

/** What one pass over all rows says of a law at some values of its numbers. */
export interface Passed {
  readonly values: Float64Array
  /** least squares of all numbers, by the law's linearisation */
  readonly all: Moments.Solved
  /** the number of independent columns of it */
  readonly rank: number
  /** least squares of the coefficients of the basis of the terms, at these constants */
  readonly linear: Moments.Solved
  readonly linearRank: number
  /** the number of independent columns that constants inside of terms add to it */
  readonly further: number
  readonly basis: BasisFunctions.BasisFunctions
  /** the coefficients of the basis at these values, intercept first */
  readonly at: Float64Array
}

/** A law that sees all rows, part by part. */
export interface Pass {
  readonly add: (chunk: Chunk) => void
  /** Undefined where the law has no finite value on a row, or its numbers are not determined. */
  readonly done: () => Passed | undefined
}

/** A name that no feature begins with. */
const prefix = (features: ReadonlyArray<string>, name = "b"): string =>
  features.some((one) => one.startsWith(name)) ? prefix(features, `${name}'`) : name

/** A law of terms, begun at least squares on a sample. */
export const form = (
  terms: ReadonlyArray<Term.Term>,
  sample: Dataset,
  exact: ReadonlySet<number>,
  open = true,
): Form => {
  const { features, y, rows } = sample
  const own = prefix(features)
  const names = ["0", ...terms.map((_, k) => String(k + 1))].map((place) => own + place)
  const law = terms.reduce<Term.Term>(
    (sum, term, k) => Term.add(sum, Term.mul(Term.variable(names[k + 1]!), term)),
    Term.variable(names[0]!),
  )
  const found = numbered(law, features, exact)
  const all = [...names, ...found.names]
  const columns = [
    new Float64Array(rows).fill(1),
    ...terms.map((term) => columnOf(term, features, sample.columns, rows)),
  ]
  const given = leastSquares(open ? columns : columns.slice(1), y).coefficients
  const coefficients = open ? given : [0, ...given]
  return {
    formula: found.formula,
    names: all,
    values: Float64Array.of(...coefficients, ...found.values),
    coefficients: names.length,
    open,
    slopes: all.map((name) => Term.derivative(found.formula, name)),
  }
}

/** A term with numbers in the place of names. */
const put = (term: Term.Term, { names }: Form, values: ArrayLike<number>): Term.Term =>
  Term.substitute(term, (name) => {
    const at = names.indexOf(name)
    return at < 0 ? Term.variable(name) : values[at]!
  })

/** The terms at some values of the constants inside of them. */
export const termsAt = (form: Form, values: ArrayLike<number>): ReadonlyArray<Term.Term> =>
  form.slopes.slice(1, form.coefficients).map((slope) => put(slope, form, values))

type Evaluate = (chunk: Chunk) => Float64Array

const evaluator = (features: ReadonlyArray<string>, term: Term.Term): Evaluate => {
  const run = compileColumn(term, features)
  return ({ columns, rows }) => {
    const out = new Float64Array(rows)
    run(columns, out)
    return out
  }
}

/** Begins a pass over all rows, at some values of the law's numbers. */
export const pass = (form: Form, values: Float64Array, sample: Dataset): Pass => {
  const { features } = sample
  const column = (term: Term.Term): Evaluate => evaluator(features, term)
  const law = column(put(form.formula, form, values))
  const derivatives = (form.open ? form.slopes : form.slopes.slice(1)).map((slope) =>
    put(slope, form, values),
  )
  const slopes = derivatives.map(column)
  const terms = termsAt(form, values)
  const basis = BasisFunctions.of(terms)
  const written = [Term.constant(1), ...basis.functions]
  const functions = written.map(column)
  /** Derivatives by coefficients are such functions as well: their columns are computed once. */
  const shared = written.map((one) => derivatives.findIndex((other) => Term.equals(one, other)))
  const first: Chunk = sample
  /** x^c has no derivative by c at 0 that a formula could say: it is 0 there. */
  const all = (chunk: Chunk, mean: Float64Array): ReadonlyArray<Float64Array> =>
    slopes.map((slope) => {
      const out = slope(chunk)
      for (let i = 0; i < out.length; i++) if (Number.isNaN(out[i]!) && Number.isFinite(mean[i]!)) out[i] = 0
      return out
    })
  const linear = Moments.make(functions.map((run) => run(first)))
  // Without constants inside of terms both have one span.
  const inside = form.names.length > form.coefficients
  const moments = inside ? Moments.make(all(first, law(first))) : linear
  return {
    add: (chunk) => {
      const mean = law(chunk)
      const residual = mean.map((value, i) => chunk.y[i]! - value)
      const columns = inside ? all(chunk, mean) : []
      // They are overwritten where they are added.
      linear.add(
        functions.map((run, k) => columns[shared[k]!]?.slice() ?? run(chunk)),
        residual,
      )
      if (inside) moments.add(columns, residual)
    },
    done: () => {
      const [found, own] = [moments.solve(), linear.solve()]
      if (found === undefined || own === undefined) return undefined
      // Coefficients of terms follow from those of their basis, where nothing else is fitted.
      const change = !inside
        ? new Float64Array(values.length)
        : form.open
          ? found.change
          : Float64Array.of(0, ...found.change)
      return {
        values,
        all: { ...found, change },
        rank: moments.rank,
        linear: own,
        linearRank: linear.rank,
        // The basis has an intercept whether the law has one or not.
        further: inside ? Math.max(0, moments.rank + (form.open ? 0 : 1) - linear.rank) : 0,
        basis,
        at: BasisFunctions.toBasis(basis, values.subarray(0, form.coefficients)),
      }
    },
  }
}
