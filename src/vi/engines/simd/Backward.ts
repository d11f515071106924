import type { Lane } from "../../../wasm/Lane.ts"
import { accumulate, accumulatePair, factorsOf } from "../../../wasm/Parts.ts"
import { type Expr, f32x4, get, load, type Local, local } from "../../../wasm/Expr.ts"
import { type Defined, procedure, set, type Statement, store } from "../../../wasm/Func.ts"
import type * as Bottom from "./Bottom.ts"
import type { Node } from "./Node.ts"
import type { Places } from "./Places.ts"
import * as Reverse from "./Reverse.ts"
import type { Level, Shape } from "./Shape.ts"

/**
 * (weights, entry, rows, rows end, record, slot, gradients): the backward pass of the nodes of a level; see `Levels`.
 */
export const backward = (
  shape: Shape,
  lane: Lane,
  places: Places,
  at: Level,
  node: Node,
  bottom: Bottom.Bottom | undefined,
): Defined<undefined> => {
  const { program, terminals: p } = shape
  const { mul } = lane.binary
  const { squash, after, unit, units, phases, phaseOf, phasePart, weight, feature, own } = node
  const { weights, entry, rows, end, reading } = node
  const tape = local("i32", "record")
  const slot = local("i32", "slot")
  const gradients = local("i32", "gradients")
  node.begin()
  const { statements, child } = node.fromTape(tape)
  const sums = new Map<number, { readonly sum: Local<"v128">; readonly factor: number }>()
  const adding: Array<Statement> = []
  /**
   * Adds a b, multiplied by `factor` at the end. Where b is a product, a is multiplied by its first factor, which other
   * adjoints are likely to share.
   */
  const give = (index: number, a: Expr<"v128">, b: Expr<"v128">, factor: number): void => {
    const { sum } = sums.get(index) ?? { sum: local("v128", `sum ${index}`) }
    sums.set(index, { sum, factor })
    const factors = factorsOf(b)
    const term = factors === undefined ? ([a, b] as const) : ([mul(a, factors[0]), factors[1]] as const)
    adding.push(set(sum, lane.madd(...term, get(sum))))
  }
  // The adjoints of the node's values before clipping, read into variables before the slot is overwritten.
  const adjoints = at.contexts.map((_, context) => {
    const variable = local("v128", `adjoint ${context}`)
    const outer = load("v128.load", get(slot), context * places.column)
    const square = load("v128.load", get(tape), node.ownSquares + context * places.column)
    statements.push(set(variable, squash === undefined ? outer : lane.nmadd(outer, square, outer)))
    return get(variable)
  })
  const primals = Array.from({ length: at.below }, (_, b) => node.primal(child, b, node.fromKept(tape, b)))
  if (bottom !== undefined) {
    const features = Array.from({ length: p }, (_, m) => feature(m))
    const terms = bottom.terms(adjoints, features, primals[0]!)
    const totals = terms.map((_, i) => local("v128", `sum ${i}`))
    const ordered = terms.map((term, i) => ({ ...term, i })).sort((a, b) => a.feature - b.feature)
    const body = ordered.map(({ a, b, negative, i }): Statement => {
      const total = get(totals[i]!)
      const factor = b ?? f32x4(1)
      return set(totals[i]!, (negative ? lane.nmadd : lane.madd)(a, factor, total))
    })
    return procedure(
      `backward${at.depth}`,
      [weights, entry, rows, end, tape, slot, gradients],
      [
        ...reading,
        ...ordered.map(({ i }) => set(totals[i]!, f32x4(0))),
        node.loop([...statements, ...body], tape, slot),
        ...ordered.map(({ i }) => accumulatePair(get(gradients), 16 * i, get(totals[i]!))),
      ],
    )
  }
  // With one context all adjoints share the node's adjoint as a factor: it multiplies their sums.
  const common = adjoints.length === 1 ? adjoints[0]! : undefined
  const below = primals.map((steps, b) => {
    const seeds = new Map<number, Expr<"v128">>()
    at.contexts.forEach(({ applications }, context) => {
      for (const { operator, below } of applications) {
        if (below !== b) continue
        const output = program.outputs[operator]!
        const index = own(context) + p + operator
        const factor = after * units[output]!
        give(index, adjoints[context]!, steps.value(output), factor)
        if (phaseOf(context, operator) !== undefined) continue
        const seed = seeds.get(output)
        const slope = mul(weight(index), f32x4(factor))
        if (common !== undefined) seeds.set(output, seed === undefined ? slope : lane.binary.add(seed, slope))
        else {
          const product = [adjoints[context]!, slope] as const
          seeds.set(output, seed === undefined ? mul(...product) : lane.madd(...product, seed))
        }
      }
    })
    const slopes = { ...Reverse.sweep(program, lane, steps, seeds) }
    for (const phase of phases) {
      if (phase.below !== b) continue
      const amplitude = mul(phasePart(phase, "amplitude"), f32x4(after * unit))
      const own = common === undefined ? mul(adjoints[phase.context]!, amplitude) : amplitude
      const cosine = steps.value(phase.cosine.step)
      const before = slopes[phase.side]
      slopes[phase.side] = before === undefined ? mul(own, cosine) : lane.madd(own, cosine, before)
    }
    const { x, y } = slopes
    const times = (slope: Expr<"v128"> | undefined): Expr<"v128"> | undefined => {
      if (common === undefined || slope === undefined) return slope
      const factors = factorsOf(slope)
      return factors === undefined ? mul(common, slope) : mul(mul(common, factors[1]), factors[0])
    }
    return { x: times(x), y: times(y) }
  })
  at.contexts.forEach((_, context) => {
    for (let m = 0; m < p; m++) give(own(context) + m, adjoints[context]!, feature(m), after)
  })
  const passing: Array<Statement> = []
  for (const side of node.sides) {
    const parts = below.map(({ x, y }) => (side === "left" ? x : y))
    if (at.bottom) {
      const [total] = parts
      if (total === undefined) continue
      for (let m = 0; m < p; m++) give(node.leafWeights(side) + m, total, feature(m), 1)
      continue
    }
    const offset = side === "left" ? 0 : places.slot
    parts.forEach((part, b) =>
      passing.push(store("v128.store", get(slot), part ?? f32x4(0), offset + b * places.column)),
    )
  }
  const zeros = [...sums.values()].map(({ sum }) => set(sum, f32x4(0)))
  const turnedBack = phases.flatMap((phase) => {
    const [cosine, sine] = [phasePart(phase, "cosine"), phasePart(phase, "sine")]
    const [s, c] = [phase.sine, phase.cosine].map(
      ({ operator }) => sums.get(own(phase.context) + p + operator)!.sum,
    )
    const other = local("v128", "sum with the sine's weight")
    return [
      set(other, lane.nmadd(sine, get(c!), mul(cosine, get(s!)))),
      set(c!, lane.madd(sine, get(s!), mul(cosine, get(c!)))),
      set(s!, get(other)),
    ]
  })
  const writing = [...sums].map(([index, { sum, factor }]) =>
    accumulate(get(gradients), 8 * index, get(sum), factor),
  )
  return procedure(
    `backward${at.depth}`,
    [weights, entry, rows, end, tape, slot, gradients],
    [
      ...reading,
      ...zeros,
      node.loop([...statements, ...passing, ...adding], tape, slot),
      ...turnedBack,
      ...writing,
    ],
  )
}
