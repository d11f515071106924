import type * as Grammar from "../prob/Grammar.ts"
import type * as Link from "../prob/Link.ts"
import * as Prior from "../prob/Prior.ts"
import { shares } from "../prob/dist/Concentrations.ts"
import { ofColumn, type Units } from "../expr/Unit.ts"
import { pureNumbers } from "../prob/PureNumbers.ts"
import * as Nesting from "../prob/tree/Nesting.ts"
import type { Restriction } from "../prob/tree/Restriction.ts"
import { curves } from "./CurveForms.ts"
import type { Forms } from "./Forms.ts"
import { laws } from "./LawForms.ts"

/** Dirichlet concentrations that no corpus can have counted. */
export const others = {
  /** of an operator that is not listed, such as a user's own: its user expects it */
  operator: 1,
  /** of each feature */
  feature: 2,
  /** of an exact constant other than 1, 2 and pi */
  constant: 0.5,
  /** the relative weight of a link that is not listed */
  link: 0.1,
} as const

const lookUp = (table: Readonly<Record<string, number>>, name: string): number | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined

/** The default prior over forms of the laws of a grammar. */
export interface FormPrior {
  /** Dirichlet concentrations of operators, in the order of the grammar */
  readonly operators: ReadonlyArray<number>
  /** Dirichlet concentrations of terminals, in the order of the grammar */
  readonly terminals: ReadonlyArray<number>
  readonly split: Prior.Split
  /** the prior inclusion probability of a term */
  readonly inclusion: number
  /** prior probabilities of links, in their order */
  readonly links: (links: ReadonlyArray<Link.Link>) => ReadonlyArray<number>
  /** what stands below what in laws: a restriction of the tree prior */
  readonly nesting: ReturnType<typeof Nesting.nesting>
  /** What the units of terms say, where that of the target is known and numbers are not known to have units of their own. */
  readonly numbers: (depth: number, units: Units | undefined) => ReadonlyArray<Restriction>
}

const operators = (forms: Forms, grammar: Grammar.Grammar): ReadonlyArray<number> =>
  grammar.operators.map(({ name }) => lookUp(forms.operators, name) ?? others.operator)

const terminals = (forms: Forms, { features, terminals }: Grammar.Grammar): ReadonlyArray<number> =>
  terminals.map((terminal, index) =>
    index < features.length
      ? others.feature
      : (lookUp(forms.terminals, Nesting.kindOf(terminal)) ?? others.constant),
  )

const made = (forms: Forms) => {
  const split = Prior.splitTable(forms.split)
  const weights = {
    operators: (grammar: Grammar.Grammar) => shares(operators(forms, grammar)),
    terminals: (grammar: Grammar.Grammar) => shares(terminals(forms, grammar)),
  }
  return {
    split,
    inclusion: forms.inclusion,
    links: (links: ReadonlyArray<Link.Link>): ReadonlyArray<number> =>
      shares(links.map(({ name }) => lookUp(forms.links, name) ?? others.link)),
    nesting: Nesting.nesting(forms.uses, (grammar) => ({
      operators: weights.operators(grammar),
      terminals: weights.terminals(grammar),
    })),
    numbers: (depth: number, units: Units | undefined): ReadonlyArray<Restriction> =>
      units?.target !== undefined && units.numbers !== "free" && ofColumn(units, units.target) !== undefined
        ? [pureNumbers(units, { ...weights, split, depth })]
        : [],
  }
}

const ofCurves = made(curves)
const ofLaws = made(laws)

/**
 * The default prior over forms, of highest likelihood on forms of named laws of science, smoothed (docs/adr/0024, 0058 and 0059;
 * `bench/priors/run.ts` fits it, and a test checks that these are its numbers). Grammars of one feature have that of curves, the forms of one
 * column: exponentials, powers and fitted numbers are more frequent in these, and products and exact numbers less.
 */
export const of = (grammar: Grammar.Grammar): FormPrior => {
  const isCurve = grammar.features.length === 1
  const forms = isCurve ? curves : laws
  return {
    ...(isCurve ? ofCurves : ofLaws),
    operators: operators(forms, grammar),
    terminals: terminals(forms, grammar),
  }
}
