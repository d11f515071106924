import * as Dimension from "../expr/Dimension.ts"
import { interpretWith } from "../expr/term/Interpret.ts"
import type { Term } from "../expr/Term.ts"
import * as Unit from "../expr/Unit.ts"
import { UnitError } from "../errors/Errors.ts"
import type { Grammar, Terminal } from "./Grammar.ts"
import type * as Link from "./Link.ts"
import type * as HardTree from "./tree/HardTree.ts"
import type { Restriction } from "./tree/Restriction.ts"

export type { Units } from "../expr/Unit.ts"

/** The dimension of a tree as a number: 0 for trees that add unlike quantities. Equal numbers are equal dimensions. */
export type Name = number

/** The dimensions of a grammar's trees. Each follows from those of the operands, and is worked out once. */
export interface Dimensions {
  /** those of the terminals, in order */
  readonly terminals: ReadonlyArray<Name>
  /** That of an operator over operands; `right` is ignored for an operator of one argument. */
  readonly apply: (operator: number, left: Name, right: Name) => Name
  /** That of a tree. */
  readonly of: (tree: HardTree.Tree) => Name
  /** The unit of a quantity; undefined of other dimensions. */
  readonly unit: (name: Name) => Unit.Unit | undefined
  /**
   * The unit, up to a factor, that trees need as terms of a law under a link where its numbers are pure; undefined where they are known to
   * be free.
   */
  readonly wanted: (link: number) => Unit.Unit | undefined
  /** Whether trees of a dimension can be terms of a law under a link, by its place among the links. */
  readonly suits: (link: number, name: Name) => boolean
  /** The same under any links. */
  readonly under: (links: ReadonlyArray<Link.Link>) => (link: number, name: Name) => boolean
}

const evaluate = (term: Term): ((environment: (name: string) => Dimension.Checked) => Dimension.Checked) =>
  interpretWith(Dimension.algebra)(term)

const ofTerminal = ({ name, term, fitted }: Terminal, units: Unit.Units): Dimension.Checked => {
  if (fitted !== undefined)
    // A pure number takes up any factor.
    return units.numbers !== "dimensionless"
      ? Dimension.free
      : Dimension.quantity({ ...Unit.none, logFactor: Number.NaN })
  return evaluate(term)(() => {
    const unit = Unit.ofColumn(units, name)
    return unit === undefined ? Dimension.free : Dimension.quantity(unit)
  })
}

/** The unit of the target; undefined where it is not known. */
const unitOf = (units: Unit.Units): Unit.Unit | undefined =>
  units.target === undefined ? undefined : Unit.ofColumn(units, units.target)

const keyOf = (one: Dimension.Dimension): string => {
  if (one._tag === "Free" || one._tag === "FreeLogarithm") return one._tag
  const { powers, logFactor } = one.unit
  const value = one._tag === "Quantity" && one.value !== undefined ? one.value.toPrecision(9) : ""
  const bases = Object.keys(powers).sort()
  return `${one._tag} ${value} ${bases.map((base) => `${base}^${powers[base]!.toFixed(6)}`).join(" ")} ${Math.round(logFactor / Unit.closeness / 10)}`
}

/** The dimension of the response of a link, of a target with a unit. */
const responseOf = ({ forward }: Link.Link, target: Unit.Unit | undefined): Dimension.Checked =>
  evaluate(forward)(() => (target === undefined ? Dimension.free : Dimension.quantity(target)))

/**
 * The terms that a response takes: with numbers that have units every consistent term, if the link is defined for the unit. With pure
 * numbers, terms of the unit of g(y); of a logarithm, pure numbers, and logarithms of the unit to any power.
 */
const takes = (
  response: Dimension.Checked,
  numbers: Unit.Units["numbers"],
): ((one: Dimension.Dimension) => boolean) => {
  if (response === undefined) return () => false
  if (numbers !== "dimensionless" || response._tag === "Free" || response._tag === "FreeLogarithm")
    return () => true
  if (response._tag === "Quantity") return (one) => Dimension.suits(one, response.unit)
  return (one) =>
    Dimension.suits(one, Unit.none) || (one._tag === "Logarithm" && Unit.parallel(one.unit, response.unit))
}

/** @param links those of the likelihood, in order; without, every consistent tree is a term */
export const make = (grammar: Grammar, units: Unit.Units, links?: ReadonlyArray<Link.Link>): Dimensions => {
  const known: Array<Dimension.Checked> = [undefined]
  const names = new Map<string, Name>()
  const nameOf = (one: Dimension.Checked): Name => {
    if (one === undefined) return 0
    const key = keyOf(one)
    const found = names.get(key)
    if (found !== undefined) return found
    names.set(key, known.length)
    known.push(one)
    return known.length - 1
  }
  const terminals = grammar.terminals.map((one) => nameOf(ofTerminal(one, units)))
  const terms = grammar.operators.map(({ term }) => evaluate(term))
  /** The names of results that are known, by operator, left and right operand. */
  const results = terms.map(() => new Map<Name, Map<Name, Name>>())
  const apply: Dimensions["apply"] = (operator, left, right) => {
    const unary = grammar.operators[operator]!.arity === 1
    if (left === 0 || (!unary && right === 0)) return 0
    const second = unary ? 0 : right
    const own = results[operator]!
    let row = own.get(left)
    if (row === undefined) own.set(left, (row = new Map()))
    const found = row.get(second)
    if (found !== undefined) return found
    const made = nameOf(terms[operator]!((name) => known[name === "x" ? left : right]))
    row.set(second, made)
    return made
  }
  const of = (tree: HardTree.Tree): Name => {
    if (tree._tag === "Leaf") return terminals[tree.terminal]!
    const [left = 0, right = left] = tree.children.map(of)
    return apply(tree.operator, left, right)
  }
  const responses = links?.map((link) => responseOf(link, unitOf(units)))
  const accepting = (all: ReadonlyArray<Dimension.Checked>): Dimensions["suits"] => {
    const accepts = all.map((response) => takes(response, units.numbers))
    return (link, name) => {
      const one = known[name]
      return one !== undefined && accepts[link]?.(one) === true
    }
  }
  return {
    terminals,
    apply,
    of,
    unit: (name) => {
      const one = known[name]
      return one?._tag === "Quantity" ? one.unit : undefined
    },
    wanted: (link) => {
      const response = responses?.[link]
      if (units.numbers === "free") return undefined
      return response?._tag === "Quantity"
        ? response.unit
        : response?._tag === "Logarithm"
          ? Unit.none
          : undefined
    },
    suits: responses === undefined ? (_, name) => known[name] !== undefined : accepting(responses),
    under: (others) => accepting(others.map((link) => responseOf(link, unitOf(units)))),
  }
}

/**
 * Excludes trees that are inconsistent in units: they add unlike quantities, or take a function of numbers of another quantity.
 * Their prior is 0 (docs/adr/0032). In a law under a link, terms that the target's unit rules out have the prior 0 as well.
 *
 * @example
 * Tree.prior({ grammar, depth: 3, split, operators, features,
 *   restrictions: [Dimensions.consistent(Units.of({ mass: "kg", velocity: "m/s" }))] })
 */
export const consistent = (units: Unit.Units): Restriction<never> => ({
  name: "consistent units",
  rule: (grammar) => {
    const { of } = make(grammar, units)
    return { _tag: "Whole", log: (tree) => (of(tree) === 0 ? -Infinity : 0) }
  },
  units,
  wider: units.numbers === "dimensionless" ? consistent({ ...units, numbers: "either" }) : undefined,
})

/**
 * The restrictions of a law in units, with that to consistent trees.
 *
 * @throws UnitError where no law has the unit of the target
 */
export const restrictions = (
  features: ReadonlyArray<string>,
  given: {
    readonly restrictions?: ReadonlyArray<Restriction> | undefined
    readonly units?: Unit.Units | undefined
  },
): ReadonlyArray<Restriction> => {
  const { units, restrictions: own = [] } = given
  if (units === undefined) return own
  requireReach(features, units)
  return [...own, consistent(units)]
}

/** The dimensions that restrictions of a prior ask for; undefined where none does. */
export const ofRestrictions = (
  {
    grammar,
    restrictions = [],
  }: { readonly grammar: Grammar; readonly restrictions?: ReadonlyArray<Restriction> | undefined },
  links?: ReadonlyArray<Link.Link>,
): Dimensions | undefined => {
  const units = restrictions.flatMap((one) => one.units ?? [])[0]
  return units && make(grammar, units, links)
}

/**
 * What a search asks of trees (`Restriction.wider`), the dimensions apart from the other restrictions, since nodes of a search know these;
 * and the dimensions that laws have, where these are fewer.
 */
export const ofSearch = (forest: Parameters<typeof ofRestrictions>[0], links?: ReadonlyArray<Link.Link>) => {
  const restrictions = forest.restrictions?.map((one) => one.wider ?? one)
  const isWider = forest.restrictions?.some(({ units, wider }) => units !== undefined && wider !== undefined)
  return {
    dimensions: ofRestrictions({ ...forest, restrictions }, links),
    ofLaws: isWider === true ? ofRestrictions(forest, links) : undefined,
    restrictions: restrictions?.filter(({ units }) => units === undefined),
  }
}

/**
 * Checks that some product of powers of the features has the unit of the target up to a power, as laws without units of their own
 * numbers need it.
 *
 * @throws UnitError
 */
export const requireReach = (features: ReadonlyArray<string>, units: Unit.Units): void => {
  const target = unitOf(units)
  const own = features.map((name) => Unit.ofColumn(units, name))
  if (units.numbers !== "dimensionless" || target === undefined || own.includes(undefined)) return
  const known = own.filter((unit) => unit !== undefined)
  const fail = (reason: string): never => {
    throw new UnitError({
      message: `the target "${units.target}" has the unit ${Unit.format(target)}, but ${reason}; add a column, such as a constant of nature, or let numbers have units of their own`,
    })
  }
  const missing = Object.keys(target.powers).find((base) =>
    known.every(({ powers }) => powers[base] === undefined),
  )
  if (missing !== undefined) fail(`no feature has ${missing} in its unit`)
  if (!Unit.spans(known, target)) fail("no product of powers of the features has it")
}
