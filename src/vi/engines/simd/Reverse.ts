import type { Instruction, Program } from "../Program.ts"
import type { Lane } from "../../../wasm/Lane.ts"
import { type Expr, f32x4, op } from "../../../wasm/Expr.ts"
import * as Units from "./Units.ts"

/**
 * A number that the derivative of an instruction needs beyond its operands, and that costs more than a few operations.
 */
export type Part = "value" | "sine" | "cosine"

/**
 * The values of the steps of a program in their units (see `Units`), for a reverse sweep.
 */
export interface Primal {
  readonly units: ReadonlyArray<number>
  readonly value: (step: number) => Expr<"v128">
  /** the sine or the cosine of a step's argument */
  readonly sine: (step: number) => Expr<"v128">
  readonly cosine: (step: number) => Expr<"v128">
}

const steep: ReadonlySet<string> = new Set([
  "exp",
  "log",
  "sin",
  "cos",
  "tan",
  "tanh",
  "asin",
  "acos",
  "atan",
  "pow",
])

/**
 * The numbers of a step that are kept from the forward to the backward pass; the others are computed again from its
 * operands.
 */
export const kept = (instruction: Instruction): ReadonlyArray<Part> => {
  if (instruction._tag === "Unary") {
    if (instruction.operation === "sin") return ["value", "cosine"]
    if (instruction.operation === "cos") return ["value", "sine"]
    if (instruction.operation === "tan") return ["value"]
    return steep.has(instruction.operation) ? ["value"] : []
  }
  return instruction._tag === "Binary" && steep.has(instruction.operation) ? ["value"] : []
}

/** The steps that outputs depend on, the outputs included, in order. */
export const reached = (program: Program, outputs: ReadonlyArray<number>): ReadonlyArray<number> => {
  const found = new Set<number>()
  const visit = (step: number): void => {
    if (found.has(step)) return
    found.add(step)
    const instruction = program.instructions[step]!
    if (instruction._tag === "Unary") visit(instruction.argument)
    if (instruction._tag === "Binary") {
      visit(instruction.left)
      visit(instruction.right)
    }
  }
  outputs.forEach(visit)
  return [...found].sort((a, b) => a - b)
}

/**
 * Reverse-mode differentiation of a program in float32 lanes: from the adjoints of outputs to those of the arguments.
 * At kinks and ties the derivatives are those of tfjs: |x|' is -1 at 0, the first of two equal operands of `min` and
 * `max` gets the whole adjoint, `guard` has slope 0 where it acts.
 *
 * @param seeds adjoints of the steps' values, in their units
 * @returns adjoints of the arguments, in their units; undefined for an argument on which no seed depends
 */
export const sweep = (
  program: Program,
  lane: Lane,
  primal: Primal,
  seeds: ReadonlyMap<number, Expr<"v128">>,
): { readonly x: Expr<"v128"> | undefined; readonly y: Expr<"v128"> | undefined } => {
  const { add, mul, div, sub } = lane.binary
  const { neg } = lane.unary
  const adjoints = new Map(seeds)
  // Sums of products become multiply-adds.
  const give = (step: number, value: Expr<"v128">): void => {
    if (constant(program, step)) return
    const before = adjoints.get(step)
    adjoints.set(step, before === undefined ? value : add(before, value))
  }
  const giveProduct = (step: number, a: Expr<"v128">, b: Expr<"v128">): void => {
    if (constant(program, step)) return
    const before = adjoints.get(step)
    adjoints.set(step, before === undefined ? mul(a, b) : lane.madd(a, b, before))
  }
  const giveNegated = (step: number, a: Expr<"v128">, b: Expr<"v128">): void => {
    if (constant(program, step)) return
    const before = adjoints.get(step)
    adjoints.set(step, before === undefined ? neg(mul(a, b)) : lane.nmadd(a, b, before))
  }
  let x: Expr<"v128"> | undefined
  let y: Expr<"v128"> | undefined
  for (let step = program.instructions.length - 1; step >= 0; step--) {
    const seed = adjoints.get(step)
    if (seed === undefined) continue
    const instruction = program.instructions[step]!
    switch (instruction._tag) {
      case "Literal":
        break
      case "Argument":
        if (instruction.name === "x") x = seed
        else y = seed
        break
      case "Unary": {
        const { argument, operation } = instruction
        const [unit] = Units.factors(program, primal.units, step)
        const g = mul(seed, f32x4(unit))
        const a = (): Expr<"v128"> => mul(primal.value(argument), f32x4(unit))
        const value = (): Expr<"v128"> => primal.value(step)
        switch (operation) {
          case "neg":
            give(argument, neg(g))
            break
          case "square":
            giveProduct(argument, mul(f32x4(2), g), a())
            break
          case "sqrt":
            give(argument, div(g, mul(value(), f32x4(2))))
            break
          case "abs": {
            const negative = op("v128.and", op("f32x4.le", a(), f32x4(0)), f32x4(-0))
            give(argument, op("v128.xor", g, negative))
            break
          }
          case "sign":
            break
          case "exp":
            giveProduct(argument, g, value())
            break
          case "log":
            give(argument, div(g, a()))
            break
          case "sin":
            giveProduct(argument, g, primal.cosine(step))
            break
          case "cos":
            giveNegated(argument, g, primal.sine(step))
            break
          case "tan":
            giveProduct(argument, g, lane.madd(value(), value(), f32x4(1)))
            break
          case "tanh":
            giveProduct(argument, g, lane.nmadd(value(), value(), f32x4(1)))
            break
          case "asin":
            give(argument, div(g, lane.unary.sqrt(lane.nmadd(a(), a(), f32x4(1)))))
            break
          case "acos":
            give(argument, neg(div(g, lane.unary.sqrt(lane.nmadd(a(), a(), f32x4(1))))))
            break
          case "atan":
            give(argument, div(g, lane.madd(a(), a(), f32x4(1))))
            break
          case "guard":
            give(argument, op("v128.and", g, op("f32x4.ge", lane.unary.abs(a()), f32x4(1e-6))))
            break
        }
        break
      }
      case "Binary": {
        const { left, right, operation } = instruction
        const units = Units.factors(program, primal.units, step)
        const a = (): Expr<"v128"> => mul(primal.value(left), f32x4(units[0]))
        const b = (): Expr<"v128"> => mul(primal.value(right), f32x4(units[1]))
        const g = mul(seed, f32x4(units[0]))
        const h = mul(seed, f32x4(units[1]))
        switch (operation) {
          case "add":
            give(left, g)
            give(right, h)
            break
          case "sub":
            give(left, g)
            give(right, neg(h))
            break
          case "mul":
            giveProduct(left, g, b())
            giveProduct(right, h, a())
            break
          case "div":
            give(left, div(g, b()))
            giveNegated(right, div(h, b()), div(a(), b()))
            break
          case "pow":
            giveProduct(left, g, mul(b(), lane.binary.pow(a(), sub(b(), f32x4(1)))))
            if (!constant(program, right)) {
              const positive = op("f32x4.gt", a(), f32x4(0))
              giveProduct(right, h, mul(primal.value(step), op("v128.and", lane.unary.log(a()), positive)))
            }
            break
          case "min":
            give(left, op("v128.and", g, op("f32x4.le", a(), b())))
            give(right, op("v128.and", h, op("f32x4.gt", a(), b())))
            break
          case "max":
            give(left, op("v128.and", g, op("f32x4.ge", a(), b())))
            give(right, op("v128.and", h, op("f32x4.lt", a(), b())))
            break
        }
        break
      }
    }
  }
  return { x, y }
}

const constant = (program: Program, step: number): boolean => program.instructions[step]!._tag === "Literal"
