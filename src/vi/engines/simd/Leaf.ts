import type { Lane } from "../../../wasm/Lane.ts"
import { type Expr, f32x4, get, load, local, op } from "../../../wasm/Expr.ts"
import { procedure, repeat, set, store } from "../../../wasm/Func.ts"
import { accumulate, move } from "../../../wasm/Parts.ts"
import type { Shape } from "./Shape.ts"

/** Trees of depth 0: a mixture of terminals. `apart` is the distance of their columns in bytes. */
export const functions = (shape: Shape, lane: Lane, apart: number) => {
  const { terminals: p } = shape
  const weights = local("i32", "weights")
  const rows = local("i32", "rows")
  const end = local("i32", "rows end")
  const slot = local("i32", "slot")
  const gradients = local("i32", "gradients")
  const feature = (m: number): Expr<"v128"> => load("v128.load", get(rows), m * apart)
  const ws = Array.from({ length: p }, (_, m) => local("v128", `weight ${m}`))
  const sums = Array.from({ length: p }, (_, m) => local("v128", `sum ${m}`))
  const more = op("i32.lt_u", get(rows), get(end))
  const forward = procedure(
    "forward leaf",
    [weights, rows, end, slot],
    [
      ...ws.map((w, m) => set(w, load("v128.load32_splat", get(weights), 4 * m))),
      repeat(
        [
          store(
            "v128.store",
            get(slot),
            ws
              .slice(1)
              .reduce(
                (sum, w, m) => lane.madd(get(w), feature(m + 1), sum),
                lane.binary.mul(get(ws[0]!), feature(0)),
              ),
          ),
          move(rows, 16),
          move(slot, 16),
        ],
        more,
      ),
    ],
  )
  const backward = procedure(
    "backward leaf",
    [rows, end, slot, gradients],
    [
      ...sums.map((sum) => set(sum, f32x4(0))),
      repeat(
        [
          ...sums.map((sum, m) => set(sum, lane.madd(load("v128.load", get(slot)), feature(m), get(sum)))),
          move(rows, 16),
          move(slot, 16),
        ],
        more,
      ),
      ...sums.map((sum, m) => accumulate(get(gradients), 8 * m, get(sum))),
    ],
  )
  return { forward, backward }
}
