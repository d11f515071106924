import type { Program } from "../Program.ts"

/** An operator's value as constant + x L + y R + xx L^2 + xy L R + yy R^2 of its operands L and R. */
export interface Form {
  readonly constant: number
  readonly x: number
  readonly y: number
  readonly xx: number
  readonly xy: number
  readonly yy: number
}

const zero: Form = { constant: 0, x: 0, y: 0, xx: 0, xy: 0, yy: 0 }
const names = ["constant", "x", "y", "xx", "xy", "yy"] as const

const combine = (a: Form, b: Form, scale: number): Form => {
  const sum = names.map((name) => [name, a[name] + scale * b[name]] as const)
  return { ...zero, ...Object.fromEntries(sum) }
}
/** 0 for a number, 1 where it is linear in the operands, 2 otherwise. */
export const degree = (form: Form): number =>
  form.xx !== 0 || form.xy !== 0 || form.yy !== 0 ? 2 : form.x !== 0 || form.y !== 0 ? 1 : 0
/** Whether a form is linear in one operand alone: products of sums would be expanded, and cancel. */
const single = (form: Form): boolean =>
  degree(form) === 1 && form.constant === 0 && (form.x === 0 || form.y === 0)

const product = (a: Form, b: Form): Form | undefined => {
  if (degree(a) === 0) return combine(zero, b, a.constant)
  if (degree(b) === 0) return combine(zero, a, b.constant)
  if (!single(a) || !single(b)) return undefined
  return { ...zero, xx: a.x * b.x, xy: a.x * b.y + a.y * b.x, yy: a.y * b.y }
}

/** The forms of a program's steps; undefined where a step has none. */
export const of = (program: Program): ReadonlyArray<Form | undefined> => {
  const found: Array<Form | undefined> = []
  for (const step of program.instructions) {
    if (step._tag === "Argument") found.push({ ...zero, [step.name === "x" ? "x" : "y"]: 1 })
    else if (step._tag === "Literal") found.push({ ...zero, constant: step.value })
    else if (step._tag === "Unary") {
      const a = found[step.argument]
      if (a === undefined) found.push(undefined)
      else if (step.operation === "neg") found.push(combine(zero, a, -1))
      else found.push(step.operation === "square" ? product(a, a) : undefined)
    } else {
      const [a, b] = [found[step.left], found[step.right]]
      if (a === undefined || b === undefined) found.push(undefined)
      else if (step.operation === "mul") found.push(product(a, b))
      else if ((step.operation === "add" || step.operation === "sub") && degree(a) < 2 && degree(b) < 2)
        found.push(combine(a, b, step.operation === "add" ? 1 : -1))
      else found.push(undefined)
    }
  }
  return found
}
