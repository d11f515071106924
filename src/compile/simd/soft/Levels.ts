import type { UnaryPrimitive } from "../../../declare/Algebra.ts"
import type { Lane } from "../Lane.ts"
import * as Circular from "../math/circular.ts"
import type { Squashed } from "../math/tanh.ts"
import { type Expr, f32x4, get, load, type Local, local, op } from "../wasm/Expr.ts"
import { type Defined, procedure, repeat, set, type Statement, store } from "../wasm/Func.ts"
import * as Reverse from "./Reverse.ts"
import * as Bottom from "./Bottom.ts"
import { accumulate, accumulatePair, factorsOf, move } from "../Parts.ts"
import { type Bounds, operandBound, type Places } from "./Places.ts"
import { keptAt, outputs, twin } from "./Records.ts"
import { firstWeight, isProduct, type Level, type Shape } from "./Shape.ts"
import * as Units from "./Units.ts"

/**
 * The functions that evaluate and differentiate the nodes of a level over a block of rows, four at a time.
 *
 * Values live in two kinds of places. On the way to the design matrix alone they are on a stack of slots: a node finds
 * its left child's values in its own slot and the right one's in the next, and leaves its own in its own. Where the way
 * back follows, they are on a tape: each inner node has a record with its values and what the derivatives need,
 * records in post-order, so that a child's record lies a constant below. Adjoints use slots again: a node finds its own
 * in its slot, and leaves the left child's there and the right one's in the next.
 */
export interface LevelFunctions {
  /** (weights, rows, rows end, slot) */
  readonly forward: Variants
  /** (weights, rows, rows end, record) */
  readonly record: Variants
  /** (weights, rows, rows end, record, slot, gradients), or with a plan for the bottom sums instead of gradients */
  readonly backward: Defined<undefined>
  readonly bottom: Bottom.Bottom | undefined
}

/** Functions for nodes whose values are known to be near 0 (see `Magnitude`), or nearer still, and one for all. */
export interface Variants {
  readonly nearer: Defined<undefined>
  readonly near: Defined<undefined>
  readonly any: Defined<undefined>
}

/** A node's value, in the unit of its level, and with a clip what its slope needs. */
type Value = Pick<Squashed, "value"> & Partial<Squashed>

/** Where a step's value, sine or cosine is, if it is kept. */
type Taped = (step: number, part: Reverse.Part) => Expr<"v128"> | undefined

const advance = (variable: Local<"i32">): Statement => move(variable, 16)

const level = (shape: Shape, lane: Lane, places: Places, bounds: Bounds, at: Level): LevelFunctions => {
  const { clip } = bounds
  const { program, terminals: p, operators: O } = shape
  const bound = operandBound(bounds, at)
  const anyUnary = { ...lane.unary, ...lane.bounded(bound) }
  const nearUnary = { ...lane.unary, ...lane.bounded(Math.min(bound, Circular.limit)) }
  // The root's values are those of the tree; what is below has a unit.
  const squash = clip === undefined ? undefined : lane.squash(clip, at.depth > 0)
  const { before, after } = squash ?? { before: 1, after: 1 }
  const unit = at.bottom || clip === undefined ? 1 : 1 / lane.squash(clip, true).after
  const units = Units.of(program, unit)
  const plain = (value: Expr<"v128">): Value => ({ value })
  let unary = anyUnary
  let circular = false
  let clipped: (y: Expr<"v128">) => Value = plain
  /** Makes a function in all variants: what is made in between has the functions of one of them. */
  const variants = (make: (name: string) => Defined<undefined>): Variants => {
    unary = nearUnary
    circular = true
    clipped = squash?.near ?? plain
    const near = make("near")
    clipped = squash?.nearer ?? plain
    const nearer = squash === undefined ? near : make("nearer")
    unary = anyUnary
    circular = bound <= Circular.limit
    clipped = squash?.any ?? plain
    return { nearer, near, any: make("") }
  }
  const { mul } = lane.binary
  const sides = shape.right ? (["left", "right"] as const) : (["left"] as const)
  type Side = (typeof sides)[number]
  const weights = local("i32", "weights")
  const rows = local("i32", "rows")
  const end = local("i32", "rows end")
  const kept = keptAt(shape, at)
  const bottom = Bottom.make(shape, lane, at, after)

  /** Weights are read once, before the loop over rows. */
  const reading: Array<Statement> = []
  const weight = (index: number): Expr<"v128"> => {
    const known = weightLocals.get(index)
    if (known !== undefined) return get(known)
    const made = local("v128", `weight ${index}`)
    weightLocals.set(index, made)
    reading.push(set(made, load("v128.load32_splat", get(weights), 4 * index)))
    return get(made)
  }
  const weightLocals = new Map<number, Local<"v128">>()
  const feature = (m: number): Expr<"v128"> => load("v128.load", get(rows), m * places.terminal)
  /** A mixture of the terminals, times a factor that the weights take before the loop. */
  const combine = (first: number, factor: Expr<"v128"> = f32x4(1)): Expr<"v128"> => {
    const scaled = (m: number): Expr<"v128"> => mul(weight(first + m), factor)
    let sum = mul(scaled(0), feature(0))
    for (let m = 1; m < p; m++) sum = lane.madd(scaled(m), feature(m), sum)
    return sum
  }
  // The weights of a bottom node's leaves come right before its own.
  const leafWeights = (side: Side): number => (side === "left" ? 0 : p)
  const leaf = (side: Side): Expr<"v128"> => combine(leafWeights(side))
  /**
   * Above leaves, operands of sine and cosine are mixtures in half turns: their weights take the factor, and so does
   * what else a product with them has.
   */
  const turns = at.bottom && bound <= Circular.limit
  const turned = (side: Side): Expr<"v128"> => combine(leafWeights(side), f32x4(Circular.perRadian))
  const own = (context: number): number => firstWeight(shape, at) + context * (p + O)

  /** Whether the left operand is there in half turns. */
  const circularOfLeft = Reverse.reached(program, outputs(shape, at, 0)).some((step) => {
    const instruction = program.instructions[step]!
    if (instruction._tag !== "Unary" || !["sin", "cos"].includes(instruction.operation)) return false
    const operand = program.instructions[instruction.argument]!
    return operand._tag === "Argument" && operand.name === "x"
  })

  /** The value of a node in each context. */
  const values = (
    child: (side: Side, below: number) => Expr<"v128">,
    taped: (below: number) => Taped = () => () => undefined,
  ): ReadonlyArray<Value> => {
    const steps = Array.from({ length: at.below }, (_, below) => primal(child, below, taped(below)))
    return at.contexts.map(({ applications }, context) => {
      let sum = combine(own(context), f32x4(before))
      for (const { operator, below } of applications) {
        const output = program.outputs[operator]!
        const factor = mul(weight(own(context) + p + operator), f32x4(before * units[output]!))
        sum =
          at.bottom && isProduct(program, output)
            ? turns && circularOfLeft
              ? lane.madd(turned("left"), combine(leafWeights("right"), mul(factor, f32x4(Math.PI))), sum)
              : lane.madd(leaf("left"), combine(leafWeights("right"), factor), sum)
            : lane.madd(factor, steps[below]!.value(output), sum)
      }
      return clipped(sum)
    })
  }
  const loop = (body: ReadonlyArray<Statement>, ...moving: ReadonlyArray<Local<"i32">>): Statement =>
    repeat([...body, advance(rows), ...moving.map(advance)], op("i32.lt_u", get(rows), get(end)))

  /** Reads the children's values from memory into variables, before anything is written. */
  const fetch = (address: (side: Side, below: number) => { base: Local<"i32">; offset: number }) => {
    const variables = new Map<string, Local<"v128">>()
    const statements: Array<Statement> = []
    if (!at.bottom)
      for (const side of sides)
        for (let below = 0; below < at.below; below++) {
          const { base, offset } = address(side, below)
          const variable = local("v128", `${side} ${below}`)
          variables.set(`${side} ${below}`, variable)
          statements.push(set(variable, load("v128.load", get(base), offset)))
        }
    const child = (side: Side, below: number): Expr<"v128"> =>
      at.bottom ? leaf(side) : get(variables.get(`${side} ${below}`)!)
    return { statements, child }
  }

  const forward = (variant: string): Defined<undefined> => {
    const slot = local("i32", "slot")
    reading.length = 0
    weightLocals.clear()
    const { statements, child } = fetch((side, below) => ({
      base: slot,
      offset: (side === "left" ? 0 : places.slot) + below * places.column,
    }))
    const body = [
      ...statements,
      ...values(child).map(({ value }, context) =>
        store("v128.store", get(slot), value, context * places.column),
      ),
    ]
    return procedure(
      `forward${at.depth} ${variant}`,
      [weights, rows, end, slot],
      [...reading, loop(body, slot)],
    )
  }

  // A record's address is that of its end, so that offsets to it and to the children's are never negative: the
  // deepest byte that a node reads is the beginning of its left child's record.
  const subtree = (depth: number): number => {
    let total = 0
    let nodes = 1
    for (let d = depth; d < shape.levels.length; d++) {
      total += nodes * places.records[d]!
      nodes *= sides.length
    }
    return total
  }
  const span = subtree(at.depth)
  const length = places.records[at.depth]!
  const childRecord = (side: Side): number => {
    const below = places.records[at.depth + 1] ?? 0
    const whole = subtree(at.depth + 1)
    const endOfLeft = sides.length === 1 ? span - length : span - length - whole
    return (side === "left" ? endOfLeft : span - length) - below
  }
  const ownRecord = span - length
  const ownSquares = ownRecord + at.contexts.length * places.column
  const ownKept = squash === undefined ? ownSquares : ownSquares + at.contexts.length * places.column
  const keptColumn = (index: number): number => ownKept + index * places.column
  const fromTape = (base: Local<"i32">) =>
    fetch((side, below) => ({ base, offset: childRecord(side) + below * places.column }))

  const record = (variant: string): Defined<undefined> => {
    const tape = local("i32", "record")
    reading.length = 0
    weightLocals.clear()
    const { statements, child } = fromTape(tape)
    const from = get(rows)
    const start = [set(rowsFrom, from), set(tapeFrom, get(tape))]
    const again = [set(rows, get(rowsFrom)), set(tape, get(tapeFrom))]
    const keeping = kept.map(({ below, step, part }, index) => {
      const steps = primal(child, below, () => undefined)
      return store("v128.store", get(tape), steps[part](step), keptColumn(index))
    })
    const body = values(child, (below) => fromKept(tape, below)).flatMap(({ value, square }, context) => [
      store("v128.store", get(tape), value, ownRecord + context * places.column),
      ...(square === undefined
        ? []
        : [store("v128.store", get(tape), square, ownSquares + context * places.column)]),
    ])
    return procedure(
      `record${at.depth} ${variant}`,
      [weights, rows, end, tape],
      [
        ...reading,
        ...(kept.length === 0 ? [] : [...start, loop([...statements, ...keeping], tape), ...again]),
        loop([...statements, ...body], tape),
      ],
    )
  }
  const rowsFrom = local("i32", "first row")
  const tapeFrom = local("i32", "first record")
  /** What a pass over the rows finds on the tape of an earlier one. */
  const fromKept =
    (tape: Local<"i32">, below: number): Taped =>
    (step, part) => {
      const index = kept.findIndex((k) => k.below === below && k.step === step && k.part === part)
      return index < 0 ? undefined : load("v128.load", get(tape), keptColumn(index))
    }

  /** Steps of the program with the operands of one context: from the tape where they are kept, computed elsewhere. */
  const primal = (
    child: (side: Side, below: number) => Expr<"v128">,
    below: number,
    taped: Taped,
  ): Reverse.Primal => {
    const known = new Map<number, Expr<"v128">>()
    const value = (step: number): Expr<"v128"> => {
      const before = known.get(step)
      if (before !== undefined) return before
      const made = taped(step, "value") ?? compute(step)
      known.set(step, made)
      return made
    }
    /** A function of a step, as short as what is known of operands lets it be. */
    const apply = (operation: UnaryPrimitive, argument: number, factor: number): Expr<"v128"> => {
      const operand = program.instructions[argument]!
      const isArgument = operand._tag === "Argument"
      if (isArgument && circular && (operation === "sin" || operation === "cos"))
        return lane.halfTurns[operation](
          turns
            ? turned(operand.name === "x" ? "left" : "right")
            : mul(value(argument), f32x4(factor * Circular.perRadian)),
        )
      return (isArgument ? unary : lane.unary)[operation](mul(value(argument), f32x4(factor)))
    }
    const compute = (step: number): Expr<"v128"> => {
      const instruction = program.instructions[step]!
      const [left, right] = Units.factors(program, units, step)
      switch (instruction._tag) {
        case "Argument":
          return child(instruction.name === "x" ? "left" : "right", below)
        case "Literal":
          return lane.literal(instruction.value)
        case "Unary":
          return apply(instruction.operation, instruction.argument, left)
        case "Binary":
          return lane.binary[instruction.operation](
            mul(value(instruction.left), f32x4(left)),
            mul(value(instruction.right), f32x4(right)),
          )
      }
    }
    const trig = (part: "sine" | "cosine") => (step: number) => {
      const instruction = program.instructions[step]!
      if (instruction._tag !== "Unary") throw new Error("only functions of one argument have a sine")
      const same = twin(program, reachedBelow(below), step, part)
      if (same !== undefined) return value(same)
      const kept = taped(step, part)
      if (kept !== undefined) return kept
      const [factor] = Units.factors(program, units, step)
      return apply(part === "sine" ? "sin" : "cos", instruction.argument, factor)
    }
    return { units, value, sine: trig("sine"), cosine: trig("cosine") }
  }
  const reachedBelow = (below: number): ReadonlyArray<number> =>
    Reverse.reached(program, outputs(shape, at, below))

  const backward = (): Defined<undefined> => {
    const tape = local("i32", "record")
    const slot = local("i32", "slot")
    const gradients = local("i32", "gradients")
    reading.length = 0
    weightLocals.clear()
    const { statements, child } = fromTape(tape)
    const sums = new Map<number, { readonly sum: Local<"v128">; readonly factor: number }>()
    const adding: Array<Statement> = []
    /** Adds a b, times a factor in the end; of a product b the first factor goes with a, since an adjoint is likely to contain that too. */
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
      const square = load("v128.load", get(tape), ownSquares + context * places.column)
      statements.push(set(variable, squash === undefined ? outer : lane.nmadd(outer, square, outer)))
      return get(variable)
    })
    const primals = Array.from({ length: at.below }, (_, b) => primal(child, b, fromKept(tape, b)))
    if (bottom !== undefined) {
      const features = Array.from({ length: p }, (_, m) => feature(m))
      const terms = bottom.terms(adjoints, features, primals[0]!)
      const totals = terms.map((_, i) => local("v128", `sum ${i}`))
      const body = terms.map(({ a, b, negative }, i): Statement => {
        const total = get(totals[i]!)
        const factor = b ?? f32x4(1)
        return set(totals[i]!, (negative ? lane.nmadd : lane.madd)(a, factor, total))
      })
      return procedure(
        `backward${at.depth}`,
        [weights, rows, end, tape, slot, gradients],
        [
          ...reading,
          ...totals.map((total) => set(total, f32x4(0))),
          loop([...statements, ...body], tape, slot),
          ...totals.map((total, i) => accumulatePair(get(gradients), 16 * i, get(total))),
        ],
      )
    }
    // With one context all adjoints have the node's as a factor, which then multiplies their sums.
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
          const seed = seeds.get(output)
          const slope = mul(weight(index), f32x4(factor))
          if (common !== undefined)
            seeds.set(output, seed === undefined ? slope : lane.binary.add(seed, slope))
          else {
            const product = [adjoints[context]!, slope] as const
            seeds.set(output, seed === undefined ? mul(...product) : lane.madd(...product, seed))
          }
        }
      })
      const { x, y } = Reverse.sweep(program, lane, steps, seeds)
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
    for (const side of sides) {
      const parts = below.map(({ x, y }) => (side === "left" ? x : y))
      if (at.bottom) {
        const [total] = parts
        if (total === undefined) continue
        for (let m = 0; m < p; m++) give(leafWeights(side) + m, total, feature(m), 1)
        continue
      }
      const offset = side === "left" ? 0 : places.slot
      parts.forEach((part, b) =>
        passing.push(store("v128.store", get(slot), part ?? f32x4(0), offset + b * places.column)),
      )
    }
    const zeros = [...sums.values()].map(({ sum }) => set(sum, f32x4(0)))
    const writing = [...sums].map(([index, { sum, factor }]) =>
      accumulate(get(gradients), 8 * index, get(sum), factor),
    )
    return procedure(
      `backward${at.depth}`,
      [weights, rows, end, tape, slot, gradients],
      [...reading, ...zeros, loop([...statements, ...passing, ...adding], tape, slot), ...writing],
    )
  }
  return { forward: variants(forward), record: variants(record), backward: backward(), bottom }
}

export const functions = (
  shape: Shape,
  lane: Lane,
  places: Places,
  bounds: Bounds,
): ReadonlyArray<LevelFunctions> => shape.levels.map((at) => level(shape, lane, places, bounds, at))
