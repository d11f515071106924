import type { Hyper } from "../../evidence/conjugate.ts"
import * as Border from "./Border.ts"
import { CROSS, FAULTS, FIRST, type Kernel, SQUARE, SUM } from "./Kernel.ts"
import { room } from "./Room.ts"

/** One tree of an ensemble replaced by a member of a library. */
export interface Swap {
  /** the slot whose tree goes, 0 to K - 1 */
  readonly slot: number
  /** the place of the member that comes */
  readonly member: number
  /** log p(y | T) of the ensemble after the swap */
  readonly logEvidence: number
  /** as `Border.error` */
  readonly error: number
}

/**
 * Columns that ensembles may be made of, with all their inner products: the evidence of any ensemble of members costs
 * some K^3 operations and no pass over the data. Members have places 0, 1, ... in the order in which they came.
 * Memory grows with half the square of their number, 8 bytes each; columns are not kept.
 */
export interface Library {
  /** M, the number of members */
  readonly size: () => number
  /** the node of the member at a place */
  readonly id: (member: number) => number
  /**
   * Adds columns by their nodes; the Gram matrix grows by a border. What is there already stays where it is.
   *
   * @returns the places, -1 for a column that is not admissible
   */
  readonly add: (ids: ArrayLike<number>) => Int32Array
  /** t_a't_b */
  readonly inner: (a: number, b: number) => number
  /**
   * log p(y | T) of T = [1, t_members], as `Evidence.posterior` has it.
   *
   * @param members K places, one for each slot; the same place may come twice
   */
  readonly logEvidence: (members: ArrayLike<number>) => number
  /** The estimated absolute error of the latest `logEvidence`; see `Border.error`. */
  readonly error: () => number
  /**
   * Tries every member in every slot of an ensemble: K M evidences in closed form.
   *
   * @param incumbent K places
   * @param count how many swaps are wanted
   * @returns the best, in descending order of evidence; a swap that changes nothing is left out
   */
  readonly swaps: (incumbent: ArrayLike<number>, count: number) => ReadonlyArray<Swap>
}

/** @param hyper `mu0` and `sigma0` of length K + 1, intercept first */
export const make = (kernel: Kernel, hyper: Hyper): Library => {
  const trees = hyper.sigma0.length - 1
  const border = Border.make(hyper, kernel.rows)
  const members: Array<number> = []
  const places = new Map<number, number>()
  // Packed by rows of the lower triangle: growth appends. Row i has t_i't_0, ..., t_i't_i.
  let gram = new Float64Array(64)
  let sums = new Float64Array(8)
  let crosses = new Float64Array(8)

  const inner = (a: number, b: number): number =>
    a >= b ? gram[(a * (a + 1)) / 2 + b]! : gram[(b * (b + 1)) / 2 + a]!

  /** Those of the ids that are new and admissible, each once. */
  const fresh = (ids: ArrayLike<number>): ReadonlyArray<number> => {
    const unknown = [...new Set(Array.from(ids))].filter((id) => !places.has(id))
    kernel.hold([])
    const rows = new Float64Array(unknown.length * FIRST)
    kernel.moments(unknown, rows)
    const found = unknown.filter((_, i) => rows[i * FIRST + FAULTS] === 0)
    sums = room(Float64Array, sums, members.length + found.length)
    crosses = room(Float64Array, crosses, members.length + found.length)
    unknown.forEach((id, i) => {
      if (rows[i * FIRST + FAULTS] !== 0) return
      const place = members.push(id) - 1
      places.set(id, place)
      sums[place] = rows[i * FIRST + SUM]!
      crosses[place] = rows[i * FIRST + CROSS]!
    })
    return found
  }

  const add: Library["add"] = (ids) => {
    const first = members.length
    const found = fresh(ids)
    const size = members.length
    gram = room(Float64Array, gram, (size * (size + 1)) / 2)
    for (let from = 0; from < size && found.length > 0; from += kernel.capacity) {
      const partners = members.slice(from, from + kernel.capacity)
      const width = FIRST + partners.length
      const rows = new Float64Array(found.length * width)
      kernel.hold(partners)
      kernel.moments(found, rows)
      for (let i = 0; i < found.length; i++) {
        const place = first + i
        const at = (place * (place + 1)) / 2
        for (let j = 0; j < partners.length && from + j <= place; j++)
          gram[at + from + j] = rows[i * width + FIRST + j]!
      }
    }
    return Int32Array.from(ids, (id) => places.get(id) ?? -1)
  }

  const check = (ensemble: ArrayLike<number>): void => {
    if (ensemble.length !== trees)
      throw new RangeError(`an ensemble has ${trees} trees, but ${ensemble.length} are given`)
    for (let k = 0; k < trees; k++)
      if (!(ensemble[k]! >= 0 && ensemble[k]! < members.length))
        throw new RangeError(`the library has no member ${ensemble[k]}`)
  }

  // The base of an ensemble without one of its trees, and the moments of a member beside it.
  const others = new Int32Array(trees - 1)
  const baseGram = new Float64Array(trees * trees)
  const baseCross = new Float64Array(trees)
  const row = new Float64Array(FIRST + trees - 1)

  const without = (ensemble: ArrayLike<number>, slot: number): void => {
    for (let j = 0; j < trees - 1; j++) others[j] = ensemble[j < slot ? j : j + 1]!
    baseGram[0] = kernel.rows
    baseCross[0] = kernel.target.sum
    for (let j = 1; j < trees; j++) {
      const a = others[j - 1]!
      baseGram[j * trees] = sums[a]!
      baseCross[j] = crosses[a]!
      for (let k = 1; k <= j; k++) baseGram[j * trees + k] = inner(a, others[k - 1]!)
    }
    border.base(baseGram, baseCross, kernel.target.square, slot)
  }

  const beside = (member: number): number => {
    row[SQUARE] = inner(member, member)
    row[CROSS] = crosses[member]!
    row[SUM] = sums[member]!
    for (let j = 0; j < trees - 1; j++) row[FIRST + j] = inner(member, others[j]!)
    return border.logEvidence(row, 0)
  }

  return {
    size: () => members.length,
    id: (member) => members[member]!,
    add,
    inner,
    logEvidence: (ensemble) => {
      check(ensemble)
      without(ensemble, trees - 1)
      return beside(ensemble[trees - 1]!)
    },
    error: border.error,
    swaps: (incumbent, count) => {
      check(incumbent)
      const best: Array<Swap> = []
      for (let slot = 0; slot < trees; slot++) {
        without(incumbent, slot)
        for (let member = 0; member < members.length; member++) {
          if (member === incumbent[slot]) continue
          const logEvidence = beside(member)
          if (best.length === count && !(logEvidence > best[count - 1]!.logEvidence)) continue
          let at = best.length
          while (at > 0 && best[at - 1]!.logEvidence < logEvidence) at--
          best.splice(at, 0, { slot, member, logEvidence, error: border.error() })
          if (best.length > count) best.pop()
        }
      }
      return best
    },
  }
}
