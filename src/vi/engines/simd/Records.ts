import type * as Program from "../Program.ts"
import * as Reverse from "./Reverse.ts"
import type { Level, Shape } from "./Shape.ts"

/**
 * A number of a program's step that is kept on the tape, for one context below. Lists are in the order of their
 * columns.
 */
export interface Kept {
  readonly below: number
  readonly step: number
  readonly part: Reverse.Part
}

/** The steps that are outputs of operators in some context with these operands. */
export const outputs = (shape: Shape, level: Level, below: number): ReadonlyArray<number> => [
  ...new Set(
    level.contexts.flatMap(({ applications }) =>
      applications
        .filter((application) => application.below === below)
        .map(({ operator }) => shape.program.outputs[operator]!),
    ),
  ),
]

/** The numbers that a level keeps. */
export const keptAt = (shape: Shape, level: Level): ReadonlyArray<Kept> => {
  const found: Array<Kept> = []
  for (let below = 0; below < level.below; below++) {
    const steps = Reverse.reached(shape.program, outputs(shape, level, below))
    for (const step of steps) {
      const instruction = shape.program.instructions[step]!
      for (const part of Reverse.kept(instruction)) {
        if (part !== "value" && twin(shape.program, steps, step, part) !== undefined) continue
        found.push({ below, step, part })
      }
    }
  }
  return found
}

/** The step that computes the sine or cosine of the same argument, if there is one. */
export const twin = (
  program: Program.Program,
  steps: ReadonlyArray<number>,
  step: number,
  part: Reverse.Part,
): number | undefined => {
  const own = program.instructions[step]!
  if (own._tag !== "Unary") return undefined
  const operation = part === "sine" ? "sin" : "cos"
  return steps.find((candidate) => {
    const other = program.instructions[candidate]!
    return other._tag === "Unary" && other.operation === operation && other.argument === own.argument
  })
}

/**
 * The length of a node's record at a level, in columns: its values, the numbers that the slopes of the clip need, and
 * those that are kept of the program.
 */
export const recordColumns = (shape: Shape, level: Level, clipped: boolean): number =>
  (clipped ? 2 : 1) * level.contexts.length + keptAt(shape, level).length
