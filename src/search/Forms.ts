import * as Operator from "../expr/Operator.ts"
import * as Grammar from "../prob/Grammar.ts"
import * as ConstantGrid from "./ConstantGrid.ts"
import * as Dag from "./kernel/Dag.ts"
import type { SearchSpace } from "./SearchSpace.ts"

/** A node, the name of its form, and where its constant stands. */
export interface Form {
  readonly id: number
  readonly form: string
  readonly kind: "none" | "factor" | "shift" | "limit" | "power" | "inverse"
  /** Whether it rises and falls again and again. */
  readonly turns: boolean
}

/** A column that constants are put into. */
export interface Base extends Form {
  readonly range: ConstantGrid.Range
}

/** A column plus a constant, or a constant minus it, which is its limit. */
interface Shifted extends Pick<Form, "id" | "form"> {
  readonly isLimited: boolean
}

/** Forms of columns with fitted constants, at rough values of these. They make nodes as they are asked for. */
export interface Forms {
  /** A column that constants are put into; nothing where it does not vary. */
  readonly base: (id: number) => ReadonlyArray<Base>
  /** Forms with one constant: f(c b), f(b + c) or f(c - b), b^c, 1 / (b + c). */
  readonly simple: (base: Base) => Generator<Form>
  /** Waves f(d + c b) of unknown phase, by the first function that turns: another would be the same with another phase. */
  readonly waves: (base: Base) => Generator<Form>
  /** Forms with a second constant: f(c g(b + d)), (b + d)^c or (d - b)^c, and 1 / (d + f) of forms of the column. */
  readonly nested: (base: Base, forms: ReadonlyArray<Form>) => Generator<Form>
  /** Products, and quotients by columns without constants. */
  readonly joined: (left: ReadonlyArray<Form>, right: ReadonlyArray<Form>) => Generator<Form>
}

/**
 * @param terminal the terminal of fitted constants
 * @param grid the rough values of constants
 * @param rangeOf the values of a node
 */
export const make = (
  space: SearchSpace,
  terminal: number,
  grid: ConstantGrid.ConstantGrid,
  rangeOf: (id: number) => ConstantGrid.Range | undefined,
): Forms => {
  const { dag, attributes, numbers, arity, apply } = space
  const { grammar } = dag
  const { operators } = grammar
  const absorbs = operators.map(ConstantGrid.absorbing)
  const find = (operator: Operator.Operator): number => Grammar.placeOf(grammar, operator)
  const [times, plus, over] = [find(Operator.mul), find(Operator.add), find(Operator.div)]
  const minus = find(Operator.sub)
  const power = Grammar.powerPlace(grammar)
  const one = Grammar.onePlace(grammar)
  const unary = operators.flatMap(({ name }, operator) =>
    arity[operator] === 1 ? [{ operator, name, own: absorbs[operator]![0]! }] : [],
  )

  const scaled = (id: number, by: number): number => apply(times, numbers.node(terminal, by), id)
  const shifted = (id: number, by: number): number => apply(plus, numbers.node(terminal, by), id)
  /** b + c as it stands inside of a function: c - b where b + c is negative and the argument of the function, such as a power or a logarithm, may not be. */
  const within = ({ id, form, range: { high } }: Base, by: number, isPositive: boolean): Shifted =>
    isPositive && by + high < 0
      ? { id: apply(minus, numbers.node(terminal, -by), id), form: `c-${form}`, isLimited: true }
      : { id: shifted(id, by), form: `c+${form}`, isLimited: false }
  const inverse = (id: number): number => apply(over, one, id)
  const raised = (id: number, by: number): number => apply(power, id, numbers.node(terminal, by))
  /** Whether a tree is a product or quotient of features: other columns to a power are forms of their own. */
  const isMonomial = (id: number): boolean => {
    const node = Dag.application(dag, id)
    if (node === undefined) return attributes.varies(id)
    const { operator, left, right } = node
    return (operator === times || operator === over) && isMonomial(left) && isMonomial(right)
  }
  const simple = function* (base: Base): Generator<Form> {
    const { id: b, form, range } = base
    for (const { operator, name, own } of unary) {
      const { turns } = own
      if (!own.factor)
        for (const by of grid.factors(range, own))
          yield { id: apply(operator, scaled(b, by)), form: `${name}(c*${form})`, kind: "factor", turns }
      if (!own.shift && !turns)
        for (const by of grid.shifts(range)) {
          const inner = within(base, by, own.isPositive)
          const kind = inner.isLimited ? "limit" : "shift"
          yield { id: apply(operator, inner.id), form: `${name}(${inner.form})`, kind, turns }
        }
    }
    if (range.low > 0 && isMonomial(b))
      for (const by of grid.exponents)
        yield { id: raised(b, by), form: `${form}^c`, kind: "power", turns: false }
    for (const by of grid.outer(range))
      yield { id: inverse(shifted(b, by)), form: `1/(c+${form})`, kind: "inverse", turns: false }
  }
  const waves = function* ({ id: b, form, range }: Base): Generator<Form> {
    const wave = unary.find(({ own }) => own.turns)
    if (wave === undefined) return
    for (const by of grid.frequencies(range))
      for (const phase of grid.phases)
        yield {
          id: apply(wave.operator, shifted(scaled(b, by), phase)),
          form: `${wave.name}(c+c*${form})`,
          kind: "none",
          turns: true,
        }
  }
  const nested = function* (base: Base, forms: ReadonlyArray<Form>): Generator<Form> {
    const { range } = base
    const made = { kind: "none", turns: false } as const
    for (const inner of unary) {
      if (inner.own.shift || inner.own.turns) continue
      for (const by of grid.shifts(range)) {
        const shift = within(base, by, inner.own.isPositive)
        const bent = apply(inner.operator, shift.id)
        const there = bent < 0 ? undefined : rangeOf(bent)
        if (there === undefined) continue
        for (const { operator, name, own } of unary) {
          if (own.factor || own.turns) continue
          for (const factor of grid.steep(there, own))
            yield {
              id: apply(operator, scaled(bent, factor)),
              form: `${name}(c*${inner.name}(${shift.form}))`,
              ...made,
            }
        }
      }
    }
    for (const by of grid.outer(range)) {
      const shift = within(base, by, true)
      const kind = shift.isLimited ? "limit" : "none"
      for (const exponent of grid.exponents)
        yield { id: raised(shift.id, exponent), form: `(${shift.form})^c`, kind, turns: false }
    }
    for (const one of forms) {
      const there =
        one.id < 0 || one.turns || (one.kind !== "factor" && one.kind !== "power")
          ? undefined
          : rangeOf(one.id)
      if (there === undefined) continue
      for (const by of grid.outer(there))
        yield { id: inverse(shifted(one.id, by)), form: `1/(c+${one.form})`, ...made }
    }
  }
  const joined = function* (left: ReadonlyArray<Form>, right: ReadonlyArray<Form>): Generator<Form> {
    for (const a of left)
      for (const b of right) {
        if (a.form === b.form) continue
        const made = { kind: "none", turns: a.turns || b.turns } as const
        yield { id: apply(times, a.id, b.id), form: `${a.form}*${b.form}`, ...made }
        if (a.kind === "none") yield { id: apply(over, b.id, a.id), form: `${b.form}/${a.form}`, ...made }
      }
  }

  return {
    base: (id) => {
      const range = attributes.varies(id) ? rangeOf(id) : undefined
      return range === undefined ? [] : [{ id, form: `${id}`, kind: "none", turns: false, range }]
    },
    simple,
    waves,
    nested,
    joined,
  }
}
