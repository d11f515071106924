import type { UnaryPrimitive } from "../../../numeric/Algebra.ts"
import type { Lane } from "../../../wasm/Lane.ts"
import * as Circular from "../../../wasm/math/circular.ts"
import { move } from "../../../wasm/Parts.ts"
import { type Expr, f32x4, get, load, type Local, local, op } from "../../../wasm/Expr.ts"
import { repeat, set, type Statement } from "../../../wasm/Func.ts"
import * as Magnitude from "./Magnitude.ts"
import * as Phases from "./Phases.ts"
import { type Bounds, operandBound, type Places } from "./Places.ts"
import { keptAt, outputs, twin } from "./Records.ts"
import * as Reverse from "./Reverse.ts"
import { firstWeight, type Level, type Shape } from "./Shape.ts"
import * as Units from "./Units.ts"

/** A step's value, sine or cosine on the tape; undefined if it is not kept. */
export type Taped = (step: number, part: Reverse.Part) => Expr<"v128"> | undefined

export type Side = "left" | "right"

/** A child's value in one of its contexts. */
export type Child = (side: Side, below: number) => Expr<"v128">

export type Node = ReturnType<typeof make>

const advance = (variable: Local<"i32">): Statement => move(variable, 16)

/** The parts that the functions of a level share: variables, memory accesses, and steps of the program. */
export const make = (shape: Shape, lane: Lane, places: Places, bounds: Bounds, at: Level) => {
  const { clip } = bounds
  const { program, terminals: p, operators: O } = shape
  const { mul } = lane.binary
  const bound = operandBound(bounds, at)
  // The root's values are those of the tree; values below it have a unit.
  const squash = clip === undefined ? undefined : lane.squash(clip, at.depth > 0)
  const { before, after } = squash ?? { before: 1, after: 1 }
  const unit = at.bottom || clip === undefined ? 1 : 1 / lane.squash(clip, true).after
  const units = Units.of(program, unit)
  const functionsOf = (most: number) => ({
    unary: { ...lane.unary, ...lane.bounded(most) },
    circular: most <= Circular.limit,
  })
  let functions = functionsOf(bound)
  /** Chooses functions of small operands, or of all operands, for the following statements. */
  const choose = (small: boolean): void => {
    functions = functionsOf(small ? Math.min(bound, Circular.limit) : bound)
  }
  const sides = shape.right ? (["left", "right"] as const) : (["left"] as const)
  const weights = local("i32", "weights")
  const entry = local("i32", "entry")
  const rows = local("i32", "rows")
  const end = local("i32", "rows end")
  const kept = keptAt(shape, at)
  const phases = Phases.at(shape, at, bounds)

  /** The phase of a wave; undefined for other operators. */
  const phaseOf = (context: number, operator: number) =>
    phases.find((p) => p.context === context && [p.sine.operator, p.cosine.operator].includes(operator))
  const phasePart = (phase: Phases.Phase, name: Phases.Part): Expr<"v128"> => {
    const key = `phase ${phase.index} ${name}`
    return readOnce(key, Phases.part(get(entry), Magnitude.phasesOffset(shape), phase, name))
  }

  /** Weights are read once, before the loop over rows. */
  const reading: Array<Statement> = []
  const begin = (): void => {
    reading.length = 0
    readLocals.clear()
  }
  const readOnce = (name: string, value: Expr<"v128">): Expr<"v128"> => {
    const known = readLocals.get(name)
    if (known !== undefined) return get(known)
    const made = local("v128", name)
    readLocals.set(name, made)
    reading.push(set(made, value))
    return get(made)
  }
  const readLocals = new Map<string, Local<"v128">>()
  const weight = (index: number): Expr<"v128"> =>
    readOnce(`weight ${index}`, load("v128.load32_splat", get(weights), 4 * index))
  const feature = (m: number): Expr<"v128"> => load("v128.load", get(rows), m * places.terminal)
  /** A mixture of the terminals, times a factor that is multiplied into the weights before the loop. */
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
   * Above leaves, operands of sine and cosine are mixtures in half turns: the factor is in their weights. In a product
   * with such an operand the other weights make up for the factor.
   */
  const turns = at.bottom && bound <= Circular.limit
  const turned = (side: Side): Expr<"v128"> => combine(leafWeights(side), f32x4(Circular.perRadian))
  const own = (context: number): number => firstWeight(shape, at) + context * (p + O)

  /** Whether the left operand is computed in half turns. */
  const circularOfLeft = Reverse.reached(program, outputs(shape, at, 0)).some((step) => {
    const instruction = program.instructions[step]!
    if (instruction._tag !== "Unary" || !["sin", "cos"].includes(instruction.operation)) return false
    const operand = program.instructions[instruction.argument]!
    return operand._tag === "Argument" && operand.name === "x"
  })

  const loop = (body: ReadonlyArray<Statement>, ...moving: ReadonlyArray<Local<"i32">>): Statement =>
    repeat([...body, advance(rows), ...moving.map(advance)], op("i32.lt_u", get(rows), get(end)))

  /** Reads the children's values from memory into variables, before the first write. */
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
    const child: Child = (side, below) => (at.bottom ? leaf(side) : get(variables.get(`${side} ${below}`)!))
    return { statements, child }
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
  /** The numbers that an earlier pass over the rows has left on the tape. */
  const fromKept =
    (tape: Local<"i32">, below: number): Taped =>
    (step, part) => {
      const index = kept.findIndex((k) => k.below === below && k.step === step && k.part === part)
      return index < 0 ? undefined : load("v128.load", get(tape), keptColumn(index))
    }

  /** Steps of the program with the operands of one context: read from the tape if they are kept, else computed. */
  const primal = (child: Child, below: number, taped: Taped): Reverse.Primal => {
    const known = new Map<number, Expr<"v128">>()
    const value = (step: number): Expr<"v128"> => {
      const before = known.get(step)
      if (before !== undefined) return before
      const made = taped(step, "value") ?? compute(step)
      known.set(step, made)
      return made
    }
    /** A function of a step, in the shortest form that the operands' bounds allow. */
    const apply = (operation: UnaryPrimitive, argument: number, factor: number): Expr<"v128"> => {
      const operand = program.instructions[argument]!
      const isArgument = operand._tag === "Argument"
      if (isArgument && functions.circular && (operation === "sin" || operation === "cos"))
        return lane.halfTurns[operation](halfTurns(operand.name, argument, factor))
      return (isArgument ? functions.unary : lane.unary)[operation](mul(value(argument), f32x4(factor)))
    }
    /** An argument in half turns, with the phase of its waves if there is one. */
    const halfTurns = (name: string, argument: number, factor: number): Expr<"v128"> => {
      const own = f32x4(factor * Circular.perRadian)
      const phase = phases.find((p) => p.below === below && p.side === name)
      const turn = phase && phasePart(phase, "turn")
      if (!turns)
        return turn === undefined ? mul(value(argument), own) : lane.madd(value(argument), own, turn)
      const t = turned(name === "x" ? "left" : "right")
      return turn === undefined ? t : lane.binary.add(t, turn)
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
  return {
    squash,
    before,
    after,
    unit,
    units,
    choose,
    sides,
    weights,
    entry,
    rows,
    end,
    kept,
    phases,
    phaseOf,
    phasePart,
    reading,
    begin,
    weight,
    feature,
    combine,
    leafWeights,
    leaf,
    turned,
    /** whether the left operand is computed in half turns */
    leftTurned: turns && circularOfLeft,
    own,
    loop,
    fetch,
    fromTape,
    ownRecord,
    ownSquares,
    keptColumn,
    fromKept,
    primal,
  }
}
