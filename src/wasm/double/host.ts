import { type Expr, extractF64, local, op, result, shuffle } from "../Expr.ts"
import { type Func, host } from "../Func.ts"

type Vector = Expr<"v128">

/** Functions of one argument of the host's `Math` that kernels may import, by these names from `host`. */
export type HostName = "sin" | "cos" | "tan" | "asin" | "acos" | "atan"

const imported = (name: HostName): Func<"f64"> => host(name, [local("f64", "x")], "f64")

// One object for each host function, because a module imports each object once.
const hosts: Readonly<Record<HostName, Func<"f64">>> = {
  sin: imported("sin"),
  cos: imported("cos"),
  tan: imported("tan"),
  asin: imported("asin"),
  acos: imported("acos"),
  atan: imported("atan"),
}
const power = host("pow", [local("f64", "x"), local("f64", "y")], "f64")

const both = (value: (lane: number) => Expr<"f64">): Vector =>
  shuffle(op("f64x2.splat", value(0)), op("f64x2.splat", value(1)), [0, 1, 4, 5])

/** A function of the host, applied to each half: for functions that are rare in laws, or arguments that are. */
export const byHost = (name: HostName, x: Vector): Vector =>
  both((lane) => result(hosts[name], extractF64(x, lane)))

/** x^y as ECMAScript has it. */
export const pow = (x: Vector, y: Vector): Vector =>
  both((lane) => result(power, extractF64(x, lane), extractF64(y, lane)))
