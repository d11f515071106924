import type { Chunk } from "../../data/Chunks.ts"
import type { Dataset } from "../../data/Dataset.ts"
import { compileColumn } from "../../expr/evaluate.ts"
import * as Term from "../../expr/Term.ts"
import { type FittedLaw, numbered } from "../fitted/FittedLaw.ts"
import { additive } from "../Noise.ts"
import * as Moments from "./Moments.ts"
import * as Real from "../../numeric/Real.ts"

/** A written law over all rows. */
export interface Written {
  readonly add: (chunk: Chunk) => void
  /** @param rows of the whole table */
  readonly law: (rows: number) => {
    /** the sum of squared residuals */
    readonly square: number
    readonly fitted: FittedLaw
  }
}

const evaluate = (term: Term.Term, features: ReadonlyArray<string>) => {
  const run = compileColumn(term, features)
  return ({ columns, rows }: Chunk): Float64Array => {
    const out = new Float64Array(rows)
    run(columns, out)
    return out
  }
}

const finite = (column: Float64Array): Float64Array => {
  for (let i = 0; i < column.length; i++) if (!Number.isFinite(column[i]!)) column[i] = 0
  return column
}

/** Begins a pass for the errors of a law's numbers and of its predictions. */
export const pass = (expression: Term.Term, sample: Dataset, exact: ReadonlySet<number>): Written => {
  const { features } = sample
  const law = numbered(expression, features, exact)
  const { formula, names, values } = law
  const put = (term: Term.Term): Term.Term =>
    Term.substitute(term, (name) => {
      const at = names.indexOf(name)
      return at < 0 ? Term.variable(name) : values[at]!
    })
  const mean = evaluate(put(formula), features)
  const slopes = names.map((name) => evaluate(put(Term.derivative(formula, name)), features))
  const moments = Moments.make(slopes.map((slope) => finite(slope(sample))))
  let square = 0
  return {
    add: (chunk) => {
      const residual = mean(chunk)
      for (let i = 0; i < residual.length; i++) {
        residual[i] = chunk.y[i]! - residual[i]!
        square += residual[i]! ** 2
      }
      moments.add(
        slopes.map((slope) => finite(slope(chunk))),
        residual,
      )
    },
    law: (rows) => {
      const freedom = Math.max(1, rows - names.length)
      const sigma = Math.sqrt(square / freedom)
      const covariance =
        moments.solve()?.covariance() ?? new Float64Array(names.length ** 2).fill(Number.POSITIVE_INFINITY)
      return {
        square,
        fitted: {
          ...law,
          covariance: covariance.map((value) => sigma * sigma * value),
          noise: additive,
          sigma,
          freedom,
        },
      }
    },
  }
}

/** Whether all rows know of terms that a law lacks. */
export interface Lacking {
  readonly add: (chunk: Chunk) => void
  /** the gain in nats of a line and a square of each column, less the price of BIC (Schwarz 1978); at least 0 */
  readonly gain: (rows: number) => number
}

/** The most columns of which lines and squares are tried. */
const widest = 20

/** Begins a pass that looks for lines and squares of single columns in the residuals of a law. */
export const lacking = (expression: Term.Term, sample: Dataset): Lacking => {
  const mean = evaluate(expression, sample.features)
  const scales = sample.columns.slice(0, widest).map((column) => {
    const centre = column.reduce((sum, value) => sum + value / column.length, 0)
    const size = Math.sqrt(column.reduce((sum, value) => sum + (value - centre) ** 2 / column.length, 0))
    return { centre, by: size > 0 ? 1 / size : 0 }
  })
  const design = ({ columns, rows }: Chunk): ReadonlyArray<Float64Array> => [
    new Float64Array(rows).fill(1),
    ...scales.flatMap(({ centre, by }, j) => {
      const line = columns[j]!.map((value) => (value - centre) * by)
      return [line, line.map((value) => value * value)]
    }),
  ]
  const moments = Moments.make(design(sample))
  return {
    add: (chunk) =>
      moments.add(
        design(chunk),
        mean(chunk).map((value, i) => chunk.y[i]! - value),
      ),
    gain: (rows) => {
      const found = moments.solve()
      if (found === undefined || !(found.rss > 0)) return 0
      const freedom = moments.rank
      return Math.max(0, (rows * Real.log(found.square / found.rss) - freedom * Real.log(rows)) / 2)
    },
  }
}
