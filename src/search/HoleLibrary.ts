import * as Effect from "effect/Effect"
import type { Dataset } from "../data/Data.ts"
import type { CompileError } from "../errors/Errors.ts"
import * as Columns from "../evidence/columns.ts"
import * as EnsemblePrior from "../evidence/ensemblePrior.ts"
import * as TreePrior from "../evidence/treePrior.ts"
import { columnOf } from "../expr/evaluate.ts"
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
  /** the simplest expression with a feature */
  readonly first: Tree.Tree
  /** The log prior of what stands in the hole. */
  readonly logPrior: (form: TemplateForm.HoleForm) => number
  /** The expressions that explain most of residuals beside the columns of a linearised law, one for each form, best first. */
  readonly best: (
    law: Linearised,
    held: ReadonlyArray<Tree.Tree>,
    count: number,
  ) => ReadonlyArray<{ readonly tree: Tree.Tree; readonly coefficient: number }>
}

/** A law of a template, linearised in one hole around its numbers. */
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

/** The law of forms linearised in a hole; undefined where it is not finite on every row. */
export const linearised = (
  template: Template.Template,
  libraries: ReadonlyArray<Pick<HoleLibrary, "grammar">>,
  forms: ReadonlyArray<TemplateForm.HoleForm>,
  values: ReadonlyArray<number>,
  hole: number,
  data: Dataset,
): Linearised | undefined => {
  const { term, numbers } = TemplateForm.law(template, libraries, forms)
  const terms = TemplateForm.byName(template, TemplateForm.named(libraries, forms))
  const name = Object.keys(template.holes)[hole]
  const of = (one: Term.Term): Float64Array => evaluated(one, data, numbers, values)
  const mean = of(term)
  const basis: Array<Float64Array> = []
  for (const number of numbers) {
    const column = of(Term.derivative(term, number))
    const rest = outside(basis, outside(basis, column))
    const length = Math.sqrt(dot(rest, rest))
    if (length > dependent * Math.sqrt(dot(column, column))) basis.push(rest.map((value) => value / length))
  }
  const slopes = template.uses
    .filter((use) => use.hole === name)
    .map(({ variable }) =>
      of(Template.law({ ...template, form: Term.derivative(template.form, variable) }, terms)),
    )
  if (![mean, ...basis, ...slopes].every((column) => column.every(Number.isFinite))) return undefined
  return {
    residual: outside(
      basis,
      data.y.map((y, i) => y - mean[i]!),
    ),
    basis,
    slopes,
  }
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
    const library = ExpressionLibrary.make(space, most.plain)
    while (library.growing()) library.grow(() => undefined)
    const columns = yield* Columns.make(grammar, all)
    const terminal = Grammar.fittedPlace(grammar)
    const forms =
      terminal < 0
        ? []
        : FormLibrary.whole(
            FormLibrary.make(space, columns, terminal, library, ConstantGrid.of(Rng.key(0), 0)),
          ).ids
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
    const [first] = candidates
    if (first === undefined)
      return yield* Effect.die(new Error(`the hole "${name}" has no expression that is finite on all rows`))
    const column = new Float64Array(data.rows)
    return {
      grammar,
      size: candidates.length,
      first: first.tree,
      logPrior: ({ trees, shift }) => ensemble.logPrior(0, trees) + Real.log(shift ? shifted : 1 - shifted),
      best: ({ residual, basis, slopes }, held, count) => {
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
            for (let i = 0; i < column.length; i++) column[i]! += slope[i]! * values[i]!
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
