import * as Real from "../../numeric/Real.ts"
import { clamped } from "../factor/Bernoulli.ts"
import type { Choice } from "./PreOrder.ts"

/** The log probabilities of the choices of trees, row by row: the logits of rows are read when a tree first visits them. */
export interface Rows {
  /** log q of a value */
  readonly log: (choice: Choice, row: number, value: number) => number
  /** the value at which the cumulative probability exceeds a uniform number */
  readonly draw: (choice: Choice, row: number, uniform: number) => number
  /** adds the weighted derivatives of `log` by the logits, which are not clamped */
  readonly addScore: (
    sums: ReadonlyArray<Float64Array>,
    choice: Choice,
    row: number,
    value: number,
    weight: number,
  ) => void
}

/** The slots of the logits of choices. */
const slots = { split: 0, operator: 1, terminal: 2 }

/**
 * @param parameters the logits of expansion, of operators and of terminals, slot by slot
 * @param sizes.clip logits are clamped to [-clip, clip]
 */
export const make = (
  [split, ...rest]: ReadonlyArray<ArrayLike<number>>,
  sizes: { readonly operators: number; readonly terminals: number; readonly clip: number },
): Rows => {
  const lengths = { operator: sizes.operators, terminal: sizes.terminals }
  const known = rest.map(({ length }) => new Float64Array(length).fill(NaN))
  /** The log probabilities of a slot, those of the row being there. */
  const logsOf = (choice: "operator" | "terminal", row: number): Float64Array => {
    const index = slots[choice] - 1
    const logs = known[index]!
    const m = lengths[choice]
    if (!Number.isNaN(logs[row * m])) return logs
    let total = 0
    for (let at = row * m; at < (row + 1) * m; at++) {
      logs[at] = clamped(rest[index]![at]!, sizes.clip)
      total += Real.exp(logs[at]!)
    }
    const log = Real.log(total)
    for (let at = row * m; at < (row + 1) * m; at++) logs[at]! -= log
    return logs
  }
  const logOf: Rows["log"] = (choice, row, value) => {
    if (choice !== "split") return logsOf(choice, row)[row * lengths[choice] + value]!
    const own = clamped(split![row]!, sizes.clip)
    return -Real.log1p(Real.exp(value === 1 ? -own : own))
  }
  return {
    log: logOf,
    draw: (choice, row, uniform) => {
      if (choice === "split") return uniform < Real.exp(logOf(choice, row, 1)) ? 1 : 0
      const m = lengths[choice]
      const logs = logsOf(choice, row)
      let left = uniform
      let k = 0
      while (k < m - 1 && (left -= Real.exp(logs[row * m + k]!)) >= 0) k++
      return k
    },
    addScore: (sums, choice, row, value, weight) => {
      const own = sums[slots[choice]]!
      if (choice === "split") {
        own[row]! += weight * (value - Real.exp(logOf(choice, row, 1)))
        return
      }
      const m = lengths[choice]
      const logs = logsOf(choice, row)
      for (let k = 0; k < m; k++)
        own[row * m + k]! += weight * (Number(k === value) - Real.exp(logs[row * m + k]!))
    },
  }
}
