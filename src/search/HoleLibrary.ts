import { whole } from "../internal/whole.ts"
import * as Effect from "effect/Effect"
import type { Dataset } from "../data/Data.ts"
import { CompileError } from "../errors/Errors.ts"
import * as Columns from "../evidence/columns.ts"
import * as Output from "../evidence/Output.ts"
import * as EnsemblePrior from "../evidence/ensemblePrior.ts"
import * as TreePrior from "../evidence/treePrior.ts"
import { columnOf } from "../expr/columnOf.ts"
import * as Term from "../expr/Term.ts"
import * as Grammar from "../prob/Grammar.ts"
import { meanLog } from "../prob/dist/Dirichlet.ts"
import type { Declared } from "../prob/Plan.ts"
import * as Template from "../prob/Template.ts"
import * as Tree from "../prob/Tree.ts"
import * as Rng from "../random/Rng.ts"
import * as ConstantGrid from "./ConstantGrid.ts"
import * as ExpressionLibrary from "./ExpressionLibrary.ts"
import * as FormLibrary from "./FormLibrary.ts"
import * as SearchSpace from "./SearchSpace.ts"
import * as TemplateForm from "./TemplateForm.ts"
import * as Real from "../numeric/Real.ts"

/** The small expressions of a hole, and their columns at each of its uses in a template. */
export interface HoleLibrary {
  readonly grammar: Grammar.Grammar
  readonly size: number
  /** the cost up to which it has every expression without numbers of its own */
  readonly exhausted: number
  /** An expression, the simple ones more often: of a uniform number in [0, 1). */
  readonly drawn: (uniform: number) => Tree.Tree
  /** The log prior of what stands in the hole. */
  readonly logPrior: (form: TemplateForm.HoleForm) => number
  /** The expressions that explain most of residuals beside the columns of a linearised law, one for each form, best first. */
  readonly best: (
    law: Linearised,
    held: ReadonlyArray<Tree.Tree>,
    count: number,
  ) => ReadonlyArray<{ readonly tree: Tree.Tree; readonly coefficient: number }>
}

/** A law of a template, linearised in one hole around its numbers: columns over the rows of all outputs, one output after the other, in units of its noise. */
export interface Linearised {
  /** y - law */
  readonly residual: Float64Array
  /** the derivatives by the numbers: an orthonormal basis of these columns */
  readonly basis: ReadonlyArray<Float64Array>
  /** the derivative by each use of the hole */
  readonly slopes: ReadonlyArray<Float64Array>
}

/** The sizes of a library: expressions without numbers, and with. */
const most = { plain: 400, forms: 2500 }
/** The number of simplest expressions that are tried, whatever they explain. */
const simplest = 4
/** The prior probability that a hole has a number of its own beside its trees; the intercept of a law of the corpus. */
const shifted = 0.4
/** A column with less than this share outside of a basis lies in it. */
const dependent = 1e-9

const dot = (a: Float64Array, b: Float64Array): number => a.reduce((sum, value, i) => sum + value * b[i]!, 0)

/** Takes the part of a column in the span of a basis away. */
const outside = (basis: ReadonlyArray<Float64Array>, column: Float64Array): Float64Array => {
  const rest = Float64Array.from(column)
  for (const one of basis) {
    const share = dot(one, rest)
    for (let i = 0; i < rest.length; i++) rest[i]! -= share * one[i]!
  }
  return rest
}

const evaluated = (
  term: Term.Term,
  { features, columns, rows }: Pick<Dataset, "features" | "columns" | "rows">,
  numbers: ReadonlyArray<string> = [],
  values: ReadonlyArray<number> = [],
): Float64Array =>
  columnOf(
    term,
    [...features, ...numbers],
    [...columns, ...values.map((value) => new Float64Array(rows).fill(value))],
    rows,
  )

/**
 * The law of forms linearised in a hole; undefined where it is not finite on every row.
 *
 * @param rss the weighted residual sum of squares of each output, which gives the scale of its noise
 */
export const linearised = (
  template: Template.Template,
  libraries: ReadonlyArray<Pick<HoleLibrary, "grammar">>,
  forms: ReadonlyArray<TemplateForm.HoleForm>,
  values: ReadonlyArray<number>,
  hole: number,
  outputs: ReadonlyArray<Output.Output>,
  rss: ReadonlyArray<number>,
): Linearised | undefined => {
  const { terms: laws, numbers } = TemplateForm.laws(template, libraries, forms)
  const terms = TemplateForm.byName(template, TemplateForm.named(libraries, forms))
  const name = Object.keys(template.holes)[hole]
  /** A column of every output, weighted. */
  const of = (each: (output: number) => Term.Term): Float64Array =>
    Float64Array.from(
      outputs.flatMap(({ data }, k) => [
        ...weighed(outputs[k]!, rss[k]!, evaluated(each(k), data, numbers, values)),
      ]),
    )
  const basis: Array<Float64Array> = []
  for (const number of numbers) {
    const column = of((k) => Term.derivative(laws[k]!, number))
    const rest = outside(basis, outside(basis, column))
    const length = Math.sqrt(dot(rest, rest))
    if (length > dependent * Math.sqrt(dot(column, column))) basis.push(rest.map((value) => value / length))
  }
  const slopes = template.uses
    .filter((use) => use.hole === name)
    .map(({ variable }) =>
      of((k) => Template.filled(template, Term.derivative(template.outputs[k]!.form, variable), terms)),
    )
  const missed = Float64Array.from(
    outputs.flatMap((one, k) => {
      const mean = evaluated(laws[k]!, one.data, numbers, values)
      return [
        ...weighed(
          one,
          rss[k]!,
          one.data.y.map((y, i) => y - mean[i]!),
        ),
      ]
    }),
  )
  if (![missed, ...basis, ...slopes].every((column) => column.every(Number.isFinite))) return undefined
  return { residual: outside(basis, missed), basis, slopes }
}

/** A column of an output in units of its noise. */
const weighed = (one: Output.Output, rss: number, column: Float64Array): Float64Array => {
  const by = one.weights?.by
  const unit = Math.sqrt((rss + one.target.rounding) / Output.counted(one))
  return column.map((value, i) => (by?.[i] === 0 ? 0 : (value * (by?.[i] ?? 1)) / unit))
}

/**
 * The library of a hole: the search's expressions and forms with numbers, over the values that the hole's arguments have in the data.
 *
 * Fails with a `CompileError` when the data lack a column, and on a machine without WebAssembly SIMD.
 *
 * @param plan the model of the hole's trees, over its arguments
 */
export const make = (
  template: Template.Template,
  name: string,
  plan: Declared,
  data: Dataset,
): Effect.Effect<HoleLibrary, CompileError> =>
  Effect.gen(function* () {
    const { forest } = plan.likelihood
    const { grammar } = forest
    const uses = template.uses.filter(({ hole }) => hole === name)
    const places = uses.map(({ of }) => ({
      features: grammar.features,
      columns: grammar.features.map((feature) => evaluated(of[feature] ?? Term.variable(feature), data)),
      rows: data.rows,
    }))
    const all: Dataset = {
      features: grammar.features,
      columns: grammar.features.map((_, k) =>
        Float64Array.from(places.flatMap(({ columns }) => [...columns[k]!])),
      ),
      target: data.target,
      y: Float64Array.from(places.flatMap(() => [...data.y])),
      rows: places.length * data.rows,
    }
    const prior = yield* TreePrior.of(forest, plan.sites)
    const ensemble = yield* EnsemblePrior.of(plan.likelihood, plan.sites)
    const { restrictions, depth, split } = forest
    const space = yield* SearchSpace.make(
      grammar,
      {
        depth,
        split,
        operators: meanLog(prior.operators),
        terminals: meanLog(prior.terminals),
        restrictions,
      },
      all,
      1,
      Rng.key(0),
    )
    const content = ExpressionLibrary.nothing()
    const library = ExpressionLibrary.make(space, most.plain, content)
    while (library.growing()) library.grow(() => undefined)
    const columns = yield* Columns.make(grammar, all)
    const terminal = Grammar.fittedPlace(grammar)
    const forms =
      terminal < 0
        ? []
        : whole(FormLibrary.make(space, columns, terminal, library, ConstantGrid.of(Rng.key(0), 0))).ids
    const { attributes } = space
    attributes.update()
    const trees = [...library.ids, ...forms.slice(0, most.forms)]
      .filter((id) => attributes.varies(id) && attributes.logPrior(id) > -Infinity)
      .map(space.tree)
    const candidates = trees.flatMap((tree) => {
      const { values, admissible } = columns.column(tree)
      if (!admissible) return []
      const own = uses.map(({ by }, use) =>
        by.length === 0
          ? values.subarray(use * data.rows, (use + 1) * data.rows)
          : evaluated(
              by.reduce<Term.Term>((term, one) => Term.derivative(term, one), Tree.toTerm(grammar, tree)),
              places[use]!,
            ),
      )
      const key = Tree.key(Tree.withoutValues(tree))
      return own.every((column) => column.every(Number.isFinite)) ? [{ tree, key, own }] : []
    })
    if (candidates.length === 0)
      return yield* new CompileError({
        message: `the hole "${name}" has no expression that is finite on all rows; keep its arguments within the domains of the operators, or choose others`,
      })
    return {
      grammar,
      size: candidates.length,
      exhausted: ExpressionLibrary.exhausted(content),
      // The cheapest come first.
      drawn: (uniform) => candidates[Math.floor(uniform * uniform * candidates.length)]!.tree,
      logPrior: ({ trees, shift }) => ensemble.logPrior(0, trees) + Real.log(shift ? shifted : 1 - shifted),
      best: ({ residual, basis, slopes }, held, count) => {
        const column = new Float64Array(residual.length)
        const taken = new Set(held.map((tree) => Tree.key(Tree.withoutValues(tree))))
        const found = new Map<
          string,
          { readonly tree: Tree.Tree; readonly coefficient: number; readonly gain: number }
        >()
        for (const { tree, key, own } of candidates) {
          if (taken.has(key)) continue
          column.fill(0)
          own.forEach((values, use) => {
            const slope = slopes[use]!
            for (let at = 0; at < column.length; at += values.length)
              for (let i = 0; i < values.length; i++) column[at + i]! += slope[at + i]! * values[i]!
          })
          const rest = outside(basis, column)
          const square = dot(rest, rest)
          if (!(square > dependent * dot(column, column))) continue
          const coefficient = dot(rest, residual) / square
          const gain = coefficient * coefficient * square
          if (gain > (found.get(key)?.gain ?? 0)) found.set(key, { tree, coefficient, gain })
        }
        // Numbers fit more than the forms that laws have: these have as many places.
        const sorted = [...found.values()].sort((a, b) => b.gain - a.gain)
        const [plain, withNumbers] = [false, true].map((has) =>
          sorted.filter(({ tree }) => TemplateForm.numbersOf(tree).length > 0 === has).slice(0, count),
        )
        // A law may be far from its linearisation: the simplest are always tried.
        const simple = candidates.slice(0, simplest).flatMap(({ key }) => found.get(key) ?? [])
        return [...new Set([...plain!, ...withNumbers!, ...simple])]
      },
    }
  })
