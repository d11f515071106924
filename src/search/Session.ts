import * as Effect from "effect/Effect"
import * as Columns from "../evidence/columns.ts"
import * as GPrior from "../evidence/gPrior.ts"
import { leastSquares } from "../numeric/leastSquares.ts"
import { dot } from "../numeric/orthogonal.ts"
import * as TreePrior from "../evidence/treePrior.ts"
import type { Plan } from "../prob/Plan.ts"
import type { Tree } from "../prob/Tree.ts"
import type * as Data from "../data/Data.ts"
import type { CompileError } from "../errors/Errors.ts"
import * as Rng from "../random/Rng.ts"
import type { Archive, Archived } from "../infer/Archive.ts"
import * as RestartAgreement from "./RestartAgreement.ts"
import type { Scored } from "./HallOfFame.ts"
import * as Moves from "./Moves.ts"
import * as ConstantFitting from "./ConstantFitting.ts"
import * as Proposals from "../inclusive/Proposals.ts"
import * as Search from "./Search.ts"
import * as SearchSpace from "./SearchSpace.ts"
import * as Likelihood from "../evidence/Likelihood.ts"
import type * as WorkingResponse from "../evidence/workingResponse.ts"
import * as ApproximateEvidence from "./ApproximateEvidence.ts"

/** What may be set of an inclusive fit. */
export interface Settings {
  /** how many small expressions are held in readiness as parts of larger ones */
  readonly bank: number
  /** pieces of work without a better ensemble after which a search ends, beside half as many as it took to find the best */
  readonly patience: number
  /** how many rows, drawn by chance, are looked at first (`Inclusive.wanted`); what is found is ranked on all */
  readonly rows: number
  /** the share of the work that goes into draws from the family, in [0, 1); 0.1 if left out */
  readonly share?: number | undefined
  /** what the search does beside replacing subtrees; all if left out */
  readonly moves?: ReadonlySet<Moves.Move> | undefined
}

/** A search for the hard ensembles of highest posterior probability, piece by piece. */
export interface Session {
  readonly archive: Archive
  /** Does a piece of work; `parameters` say where the family stands. */
  readonly advance: (parameters: Float64Array) => State
  /** Where the family comes to rest: nearest to all that was found, at its posterior probabilities. */
  readonly settle: (parameters: Float64Array) => Proposals.Standing
}

export interface State extends Proposals.Standing {
  /** log evidence and log prior of the best ensemble so far, as the search has them */
  readonly best: number
  readonly logEvidence: number
  /** the search will not find anything else, as far as it can tell */
  readonly settled: boolean
}

/** A session on rows of its own. */
export interface Sitting extends Session {
  /** pieces of work since the bank was grown */
  readonly work: () => number
  /** The share of the sum of squares of y that the best ensemble leaves unexplained; undefined while there is none. */
  readonly unexplained: () => number | undefined
  /** Whether the best ensemble is the law itself on these rows, and not on all. */
  readonly misled: () => boolean
}

/**
 * A fit that leaves less than the first share of the sum of squares of y unexplained may be exact: columns of float32
 * cannot tell. It is when columns of float64 leave less than the second.
 */
const exact = { single: 1e-10, double: 1e-16 }
/** Less noise than this, as a share of the variance of y, does not bias g(y). */
const quiet = 1e-5

/** Whether numbers have been learned in a tree: those are of the rows that they were learned on. */
const isValued = (tree: Tree): boolean =>
  tree._tag === "Leaf" ? tree.value !== undefined : tree.children.some(isValued)

/**
 * A search of a model's ensembles over rows of the data.
 *
 * Fails with a `CompileError` when the data lack a feature, the weights of the tree prior cannot be integrated out, a
 * factor of the family cannot be moved (`Projection.make`), or the machine has no WebAssembly SIMD.
 *
 * @param data the rows that are looked at, each of which stands for as many of all
 * @param initial the parameters that the family starts from
 * @param known ensembles that were found on other rows: they are scored on these
 */
export const over = (
  plan: Plan,
  data: Data.Dataset,
  all: Data.Dataset,
  settings: Settings,
  initial: Float64Array,
  key: Rng.Key,
  known: ReadonlyArray<Archived> = [],
): Effect.Effect<Sitting, CompileError> =>
  Effect.gen(function* () {
    const { sites } = plan
    const likelihood = yield* Likelihood.of(plan.likelihood)
    const { forest } = likelihood
    const { grammar } = forest
    const { y } = data
    const working = (yield* likelihood.working(data)).flatMap((made, index) =>
      made === undefined ? [] : [{ ...made, index, plain: made.link.forward._tag === "Variable" }],
    )
    const usable = working.map(({ index }) => index)
    const worth = yield* ApproximateEvidence.of(plan, all, usable, all.rows / data.rows)
    const prior = yield* TreePrior.of(forest, sites)
    const space = yield* SearchSpace.make(
      grammar,
      {
        depth: forest.depth,
        split: forest.split,
        operators: meanLog(prior.operators),
        terminals: meanLog(prior.terminals),
        restrictions: prior.restrictions,
      },
      data,
      working.length,
      Rng.fold(key, "witness"),
    )
    const columns = yield* Columns.make(grammar, data)
    const everywhere = all === data ? columns : yield* Columns.make(grammar, all)
    const polish = yield* ConstantFitting.make(space, grammar, data)
    const { moves = Moves.all } = settings
    const chances = Rng.generator(Rng.fold(key, "search"))
    const search = Search.make(space, worth, chances, settings.bank, polish, moves)
    const proposals = yield* Proposals.make(
      plan,
      space,
      search,
      initial,
      (response) => usable[response]!,
      Rng.fold(key, "proposals"),
      settings.share,
    )
    working.forEach(({ respond }, response) => {
      const { z, w } = respond(undefined)
      search.respond(response, z, w)
    })
    const total = GPrior.tssOf(y)
    const square = dot(y, y)

    /** The mean of y as the best ensemble that is defined everywhere has it. */
    const fitted = (): Float64Array | undefined => {
      const value = new Float64Array(y.length)
      const slope = new Float64Array(y.length)
      for (const ensemble of search.kept()) {
        const z = search.fitted(ensemble)
        working[ensemble.response]!.back.run(z, value, slope)
        if (value.every(Number.isFinite)) return value
      }
      return undefined
    }
    const refresh = (best: Scored): void => {
      const mu = best.rss > quiet * total ? fitted() : undefined
      working.forEach(({ respond, plain }, response) => {
        if (plain) return
        const { z, w } = respond(mu)
        search.respond(response, z, w)
      })
    }

    /** Whether an ensemble explains all of y on some rows, as double precision has it. */
    const leavesNothing = (
      { trees }: Scored,
      over: Columns.Columns,
      { respond }: WorkingResponse.Working,
      values: Float64Array,
    ): boolean => {
      const { z, w } = respond(undefined)
      const weigh = (column: Float64Array): Float64Array => column.map((value, i) => value * w[i]!)
      const design = trees.map((id) => weigh(over.column(space.tree(id)).values))
      return leastSquares([w, ...design], weigh(z)).rss <= exact.double * GPrior.tssOf(values)
    }
    const wholes = yield* likelihood.working(all)
    /** Where an ensemble is the law itself, on data without noise. */
    const judge = (best: Scored): "nowhere" | "here" | "everywhere" => {
      if (!(best.rss <= exact.single * square)) return "nowhere"
      if (!leavesNothing(best, columns, working[best.response]!, y)) return "nowhere"
      if (all === data) return "everywhere"
      const whole = wholes[working[best.response]!.index]
      return whole !== undefined && leavesNothing(best, everywhere, whole, all.y) ? "everywhere" : "here"
    }
    let judged: { readonly best: Scored; readonly exact: ReturnType<typeof judge> } | undefined
    const exactness = (best: Scored): ReturnType<typeof judge> => {
      if (judged?.best !== best) judged = { best, exact: judge(best) }
      return judged.exact
    }
    const exactly = (best: Scored): boolean => exactness(best) === "everywhere"

    /** What is known from elsewhere takes part as soon as there is something to compare it with. */
    const recall = (): void => {
      working.forEach(({ index }, response) => {
        const mine = known.filter(({ link, trees }) => link === index && !trees.some(isValued))
        search.take(
          response,
          mine.map(({ trees }) => trees.map(space.dag.intern)),
        )
      })
    }

    let work = 0
    let next = 12
    // Where the current start began, when it last found something better, and whether starts have ended at the same.
    let began = 0
    let since = 0
    let leading = -Infinity
    let agreed = false
    const agreement = RestartAgreement.make()
    /** Whether the current start has ended: it is left when it has found nothing better for long. */
    const ended = (best: Scored): boolean => {
      const { patience } = settings
      if (exactly(best)) return work - since > patience / 3
      return work - since > patience + (since - began) / 2
    }
    const begin = (): void => {
      agreed =
        !moves.has("restarting") ||
        agreement.ended(search.leader("since")?.score, search.leader("before")?.score)
      if (agreed) return
      search.restart()
      proposals.restart()
      began = since = work
      leading = -Infinity
    }
    const advance: Session["advance"] = (parameters) => {
      const busy = search.step()
      const standing = proposals.exchange(parameters)
      if (!search.growing() && work === 0) recall()
      if (!search.growing() && ++work === next) {
        next *= 2
        const best = search.leader()
        if (best !== undefined && working.length > 1) {
          refresh(best)
          // Other working responses are other scores: better ones than before are no find.
          leading = search.leader("since")?.score ?? -Infinity
        }
      }
      const best = search.leader()
      const own = search.leader("since")
      if (best === undefined || own === undefined)
        return { ...standing, best: best?.score ?? -Infinity, logEvidence: -Infinity, settled: !busy }
      if (own.score > leading + RestartAgreement.sameScore) since = work
      leading = Math.max(leading, own.score)
      const found = exactly(best)
      if (!search.growing() && (!busy || ended(own)) && !found) begin()
      return {
        ...standing,
        best: best.score,
        logEvidence: best.logEvidence,
        settled: agreed || (found && (!busy || ended(best))),
      }
    }
    return {
      advance,
      work: () => work,
      unexplained: () => {
        const best = search.leader()
        return best === undefined ? undefined : best.rss / total
      },
      misled: () => {
        const best = search.leader()
        return best !== undefined && exactness(best) === "here"
      },
      settle: proposals.settle,
      archive: {
        scored: search.scored,
        ensembles: () =>
          search.kept().map(({ response, trees, score, found }) => ({
            link: usable[response]!,
            trees: trees.map(space.tree),
            score,
            found,
          })),
      },
    }
  })

/** Logarithms of the means of Dirichlet distributed weights. */
const meanLog = (concentration: ReadonlyArray<number>): ReadonlyArray<number> => {
  const total = concentration.reduce((sum, value) => sum + value, 0)
  return concentration.map((value) => Math.log(value / total))
}
