import * as Operators from "../../expr/Operator.ts"
import { lane } from "../../wasm/DoubleLane.ts"
import { type Expr, get, i32, load, local, op } from "../../wasm/Expr.ts"
import { call, host, procedure, repeat, set, type Statement, choose, when } from "../../wasm/Func.ts"
import * as Module from "../../wasm/Module.ts"
import * as Centring from "./Centring.ts"
import * as Loops from "./Loops.ts"

/**
 * Instructions are four int32: [kind, dst, a, b]. Operands are addresses; an odd one is that of a whole column (plus
 * 1), of which the current block of rows is meant, an even one that of a block.
 */
export const instruction = 4

/** The kinds of instructions behind the operators of a grammar, which are numbered as there. */
export interface Kinds {
  /** the product of the blocks at `a` and `b` to the block at `dst` */
  readonly product: number
  /**
   * the mean of the first rows of the block at `a` to the float64 at `dst`, in the first block; in every block the float64 at `dst`
   * becomes what `centre` subtracts
   */
  readonly mean: number
  /** the block at `a`, less what `mean` found last, times the block at `b`, to the block at `dst` */
  readonly centre: number
  /** the block at `a` to its place in the whole column at `dst` (even), zeros behind the last row */
  readonly copy: number
  /**
   * `moments + j` adds to the row of moments at `dst` what the block at `a` contributes, with the first j columns held
   * from `b` (even) on, j = 0, ..., `Loops.along`
   */
  readonly moments: number
  /** `inner + j` adds to the j float64 at `dst` inner products with the j columns held from `b` on, j >= 1 */
  readonly inner: number
  /** the shared column at `a` to the block at `dst` */
  readonly fetch: number
}

export const kinds = (operators: number): Kinds => ({
  product: operators,
  mean: operators + 1,
  centre: operators + 2,
  copy: operators + 3,
  moments: operators + 4,
  inner: operators + 4 + Loops.along,
  fetch: operators + 5 + Loops.along + Loops.further,
})

/** The host function that copies from the memory that threads share: (to, from, bytes). */
const fetch = host("fetch", [local("i32", "to"), local("i32", "from"), local("i32", "bytes")], undefined)

/**
 * The binary of a module that runs instructions over all rows, block by block, with one inner loop for each operator of
 * a grammar. Its export is `run`, with the parameters
 * - `code` and `end`: where the instructions, one at least, begin and end
 * - `rows`: n, at least 1
 * - `block`: the rows of a block, a multiple of 8
 * - `apart`: bytes from one held column to the next
 */
export const assemble = (operators: ReadonlyArray<Operators.Operator>): Uint8Array<ArrayBuffer> => {
  const [code, end, rows, block, apart] = [
    local("i32", "code"),
    local("i32", "end"),
    local("i32", "rows"),
    local("i32", "block"),
    local("i32", "apart"),
  ]
  // Bytes of a column before the current block, within it, and behind the last.
  const [before, bytes, total] = [local("i32", "before"), local("i32", "bytes"), local("i32", "total")]
  const at = local("i32", "at")
  const field = (place: number): Expr<"i32"> => load("i32.load", get(at), 4 * place)
  const [dst, a, b] = [local("i32", "dst"), local("i32", "a"), local("i32", "b")]
  /** Where an operand's block begins: an odd address is that of a whole column. */
  const moved = (operand: Expr<"i32">): Expr<"i32"> => {
    const odd = op("i32.and", operand, i32(1))
    const shift = op("i32.and", op("i32.sub", i32(0), odd), get(before))
    return op("i32.add", op("i32.sub", operand, odd), shift)
  }
  // Columns go on for as long as a round of a loop may read.
  const whole = op("i32.and", op("i32.add", get(bytes), i32(Loops.round - 1)), i32(-Loops.round))
  const held = op("i32.add", get(b), get(before))
  const cases: ReadonlyArray<ReadonlyArray<Statement>> = [
    ...[...operators, Operators.mul].map((operator) => [
      call(Loops.operator(operator, lane), get(dst), get(a), get(b), get(bytes)),
    ]),
    [call(Centring.mean(), get(dst), get(a), get(bytes), get(before))],
    [call(Centring.centre(), get(dst), get(a), get(b), get(bytes))],
    [call(Centring.copy(), op("i32.add", get(dst), get(before)), get(a), get(bytes))],
    ...Array.from({ length: Loops.along + 1 }, (_, j) => [
      call(Loops.moments(j), get(dst), get(a), held, get(apart), get(bytes)),
    ]),
    ...Array.from({ length: Loops.further }, (_, j) => [
      call(Loops.inner(j + 1), get(dst), get(a), held, get(apart), get(bytes)),
    ]),
    [call(fetch, get(dst), get(a), whole)],
  ]
  const run = procedure(
    "run",
    [code, end, rows, block, apart],
    [
      set(total, op("i32.shl", get(rows), i32(3))),
      set(before, i32(0)),
      repeat(
        [
          set(bytes, op("i32.shl", get(block), i32(3))),
          when(op("i32.gt_u", get(bytes), op("i32.sub", get(total), get(before))), [
            set(bytes, op("i32.sub", get(total), get(before))),
          ]),
          set(at, get(code)),
          repeat(
            [
              set(dst, moved(field(1))),
              set(a, moved(field(2))),
              set(b, moved(field(3))),
              choose(field(0), cases),
              set(at, op("i32.add", get(at), i32(4 * instruction))),
            ],
            op("i32.lt_u", get(at), get(end)),
          ),
          set(before, op("i32.add", get(before), get(bytes))),
        ],
        op("i32.lt_u", get(before), get(total)),
      ),
    ],
  )
  return Module.assemble({ exports: { run }, memory: { shared: false } })
}
