import * as Effect from "effect/Effect"
import type { NormalInverseGamma } from "../../prob/Observation.ts"
import type { Forest } from "../../prob/Forest.ts"
import type { Dataset } from "../../data/Data.ts"
import { CompileError } from "../../errors/Errors.ts"
import * as Terminals from "../../prob/Terminals.ts"
import * as Target from "../../wasm/Target.ts"
import * as Code from "./Code.ts"
import * as Dag from "./Dag.ts"
import * as Evaluator from "./Evaluator.ts"
import * as Library from "./Library.ts"
import * as Memory from "./Memory.ts"
import * as Scorer from "./Scorer.ts"

/** Hard trees over one data set: scored by the thousand, gathered in libraries. */
export interface HardTrees extends Scorer.Scorer {
  readonly kernel: Evaluator.Evaluator
  /** An empty library of columns over these data, of nodes of `dag`. */
  readonly library: () => Library.Library
  /** The memory that columns and data take, in bytes; it does not grow. */
  readonly bytes: number
}

/**
 * The engine for the hard trees of a likelihood: generated for the grammar, with the data in its memory. Columns are
 * float32, sums over rows and evidences float64.
 *
 * Fails with a `CompileError` when the data lack a feature of the grammar or do not fit into 2 GiB, and on a machine
 * without WebAssembly SIMD.
 *
 * @example
 * const hard = yield* HardTrees.make(likelihood, data)
 * hard.score(trees, others) // log evidences
 */
export const make = (
  { forest, ...hyper }: NormalInverseGamma & { readonly forest: Forest },
  data: Dataset,
  room: Memory.Room = {},
): Effect.Effect<HardTrees, CompileError> =>
  Effect.gen(function* () {
    const { grammar, trees } = forest
    const target = Target.detect()
    if (target === undefined)
      return yield* new CompileError({ message: "this machine has no WebAssembly SIMD" })
    const terminals = yield* Terminals.columns(grammar, data)
    const memory = yield* Effect.try({
      try: () => Memory.make(Code.assemble(grammar.operators, target), terminals, data.y, trees, room),
      catch: (error) => {
        // Too large for 32-bit addresses, or for this machine: both are RangeErrors that say so.
        if (error instanceof RangeError) return new CompileError({ message: error.message })
        throw error
      },
    })
    const dag = Dag.make(grammar)
    const kernel = Evaluator.make(dag, memory, data.y)
    return {
      ...Scorer.make(dag, kernel, hyper),
      kernel,
      library: () => Library.make(kernel, hyper),
      bytes: memory.bytes,
    }
  })
