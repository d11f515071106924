import * as Effect from "effect/Effect"
import type * as Data from "../data/Data.ts"
import type { CompileError } from "../errors/Errors.ts"
import * as Columns from "../evidence/columns.ts"
import * as Likelihood from "../evidence/Likelihood.ts"
import * as Unevenness from "../evidence/noise/Unevenness.ts"
import { near } from "../evidence/workingResponse.ts"
import * as TreePrior from "../evidence/treePrior.ts"
import { memo } from "../internal/memo.ts"
import { once } from "../internal/once.ts"
import type { Archived } from "../infer/Archive.ts"
import type { Declared } from "../prob/Plan.ts"
import * as Dimensions from "../prob/Dimensions.ts"
import { meanLog } from "../prob/dist/Dirichlet.ts"
import type { Tree } from "../prob/Tree.ts"
import * as Rng from "../random/Rng.ts"
import * as ApproximateEvidence from "./ApproximateEvidence.ts"
import * as ConstantFitting from "./ConstantFitting.ts"
import * as Exactness from "./Exactness.ts"
import * as HallOfFame from "./HallOfFame.ts"
import * as LawResiduals from "./LawResiduals.ts"
import * as LocalSearch from "./LocalSearch.ts"
import * as NoiseChoice from "./NoiseChoice.ts"
import * as Responses from "./Responses.ts"
import * as Rows from "./Rows.ts"
import * as SearchSpace from "./SearchSpace.ts"
import type { Settings } from "./Settings.ts"
import * as Waiting from "./Waiting.ts"
import { type Core, firstRefresh, type Found } from "./State.ts"

/** A search over some of the rows: restarts of a local search, on working responses. Its whole knowledge is in its core. */
export interface RowSearch {
  /** Takes a step of some milliseconds. @returns whether the restart has ended: it will find nothing else, as far as it can tell */
  readonly step: () => boolean
  /** Whether the library of expressions is not full yet. */
  readonly growing: () => boolean
  /** Begins a restart. It does not matter which ones were before it. */
  readonly begin: (restart: number) => void
  /** The best ensemble of this restart. */
  readonly best: () => HallOfFame.Entry | undefined
  /** Whether no ensemble of another unit is better. */
  readonly settled: () => boolean
  /** The number of ensembles that were scored in this restart, the growth of the library included in the first. */
  readonly scored: () => number
  /** The ensembles that are kept, as an archive has them, best first. */
  readonly ensembles: () => ReadonlyArray<Found>
  /** Whether the best ensemble is the law itself, on all rows. */
  readonly exact: () => boolean
  /** The share of the sum of squares of y that the best ensemble leaves unexplained; undefined while there is none. */
  readonly unexplained: () => number | undefined
  /** Whether the best ensemble is the law itself on these rows, and not on all. */
  readonly misled: () => boolean
}

/** Less noise than this, as a share of the variance of y, does not bias g(y). */
const quiet = 1e-5

/** Whether constants have been fitted in a tree: those are of the rows that they were fitted on. */
const isFitted = (tree: Tree): boolean =>
  tree._tag === "Leaf" ? tree.value !== undefined : tree.children.some(isFitted)

/**
 * Fails with a `CompileError` when the data lack a feature or rule out every link, the weights of the tree prior cannot be integrated out, or the
 * machine has no WebAssembly SIMD.
 *
 * @param data the rows that are looked at, each of which stands for as many of all
 * @param core what the search knows: it goes on from there, and writes into it
 * @param found ensembles that were found on other rows: they are scored on these
 */
export const make = (
  plan: Declared,
  data: Data.Dataset,
  all: Data.Dataset,
  { library, patience: most, moves, begin: first }: Settings,
  key: Rng.Key,
  core: Core,
  found: ReadonlyArray<Archived>,
): Effect.Effect<RowSearch, CompileError> =>
  Effect.gen(function* () {
    const { sites } = plan
    const { forest, link } = plan.likelihood
    const [{ grammar }, { y }] = [forest, data]
    const working = yield* Responses.of(plan, data)
    if (working.length === 0) return yield* Responses.none(plan, all)
    const [links, itself] = [working.map(({ index }) => index), working.findIndex(({ fixed }) => fixed)]
    const approximate = yield* ApproximateEvidence.of(plan, all, links, data)
    const prior = yield* TreePrior.of(forest, sites)
    const space = yield* SearchSpace.make(
      grammar,
      {
        depth: forest.depth,
        split: forest.split,
        operators: meanLog(prior.operators),
        terminals: meanLog(prior.terminals),
        links: link?.links,
        ...Dimensions.ofSearch(forest, link?.links),
      },
      data,
      working.length,
      Rng.fold(key, "witness"),
      core,
    )
    const columns = yield* Columns.make(grammar, data)
    const fitter = yield* ConstantFitting.make(space, grammar, data)
    const likelihood = yield* Likelihood.of(plan.likelihood)
    const noise = likelihood.latentNoise
      ? NoiseChoice.make((yield* likelihood.assessor(columns, data)).assess, links, space.tree)
      : undefined
    const known = yield* likelihood.weights(data)
    if (known !== undefined && core.opening === undefined) core.opening = core.weights = known
    /** Takes working responses anew, at the mean and the weights of the core. */
    const respond = (each: SearchSpace.SearchSpace["respond"]): void =>
      working.forEach(({ respond, most, fixed }, response) => {
        const mean = core.mean && core.weights?.logarithms ? near(y, core.mean) : core.mean
        const { z, w } = respond(fixed ? undefined : mean, core.weights)
        approximate.bound(response, most({ z, w }))
        each(response, z, w)
      })
    // Responses first: inner products that are known are by their weights.
    approximate.weigh(core.weights)
    respond(space.respond)
    const source = Rng.fold(key, "search")
    const chances = (): Rng.Generator =>
      Rng.generator(core.restart === 0 ? source : Rng.fold(source, core.restart), core.position)
    const here: Exactness.Rows = { columns, y, working: (response) => working[response] }
    // There may be millions of rows: their columns and responses are computed when an ensemble is exact on the sample.
    const everywhere = once((): Exactness.Rows => {
      if (all === data) return here
      const whole = Effect.runSync(Effect.orDie(likelihood.working(all)))
      const everyColumn = Effect.runSync(Effect.orDie(Columns.make(grammar, all)))
      return { columns: everyColumn, y: all.y, working: (response) => whole[links[response]!] }
    })
    const judging = [here, everywhere, space.tree, () => core.weights] as const
    // The best ensemble and the best that has the unit of a law are remembered apart.
    const [exactness, exactnessOfBest] = [Exactness.judge(...judging), Exactness.judge(...judging)]
    const search = LocalSearch.make(
      space,
      approximate,
      chances,
      Rng.fold(key, "moves"),
      core,
      links,
      itself,
      library,
      fitter,
      moves,
      LawResiduals.make(working, y, () => core.weights),
      (entry) => exactnessOfBest(entry) !== "nowhere",
    )
    const { bench } = search
    const growing = bench.library.growing
    /** the sum of squares of y, weighted as the sums of squares of ensembles */
    const total = (): number => NoiseChoice.total(y, core.weights)

    const scoreOf = memo((entry: HallOfFame.Entry) => bench.scoring.checked(entry).score)
    const judged = (best = bench.lawful()): Exactness.Exact | undefined => best && exactness(best)

    /** The mean of y as the best ensemble that is defined everywhere has it. */
    const fitted = (): Float64Array | undefined => {
      const value = new Float64Array(y.length)
      const slope = new Float64Array(y.length)
      for (const ensemble of bench.kept()) {
        const z = bench.scoring.fitted(ensemble)
        working[ensemble.response]!.back.run(z, value, slope)
        if (value.every(Number.isFinite)) return value
      }
      return undefined
    }
    /** Whether an ensemble leaves so much that there is noise: then the responses that are not y depend on the mean. */
    const isNoisy = (best: HallOfFame.Entry): boolean =>
      best.rss > quiet * total() || working[best.response]!.rough
    /** Chooses the weights of rows by the best ensembles. @returns whether they have changed */
    const reweigh = (): boolean => {
      const before = core.weights
      core.weights = noise?.best(bench.kept())?.weights
      approximate.weigh(core.weights)
      return core.weights !== before
    }
    /** Tries the full library anew under given weights. */
    const reopen = (weights: Likelihood.RowWeights | undefined): void => {
      core.weights = weights
      approximate.weigh(weights)
      respond(space.respond)
      search.reopen()
    }
    const refresh = (best: HallOfFame.Entry): void => {
      const noisy = isNoisy(best)
      core.mean = noisy ? fitted() : undefined
      if ((noisy || core.weights !== core.opening) && reweigh()) search.reconsider()
      respond(search.respond)
    }
    /** Chooses the weights of rows under which a law of the full library is most probable, where most rows would not be heard without. */
    const open = (): void => {
      if (noise === undefined || !NoiseChoice.isUneven(y)) return
      const mean = fitted()
      if (NoiseChoice.isExact(y, mean)) return
      const first = noise.best(bench.kept())
      if (first?.weights === undefined && NoiseChoice.isEven(y, mean)) return
      const relative = (): NoiseChoice.Chosen | undefined => {
        reopen(NoiseChoice.relative(y))
        return noise.best(bench.kept())
      }
      // Where a law of these rows asks for other weights, they are as good a start.
      const second = first?.weights === undefined || Unevenness.spansDecades(y) ? relative() : undefined
      const chosen = second !== undefined && second.height > (first?.height ?? -Infinity) ? second : first
      core.opening = chosen?.weights
      reopen(chosen?.weights)
    }

    /** Ensembles given or found on other rows take part as soon as there are own ensembles to compare them with. */
    const recall = (): void => {
      const others = [...(core.restart > 0 ? [] : first), ...found.filter((one) => !one.trees.some(isFitted))]
      const nodeOf = (tree: Tree): number => (isFitted(tree) ? space.node(tree) : space.dag.intern(tree))
      working.forEach(({ index }, response) => {
        const mine = others.flatMap(({ link, trees }) => (link === index ? [trees.map(nodeOf)] : []))
        const placed = mine.filter((nodes) => !nodes.includes(-1))
        search.take(response, placed)
      })
    }

    const waiting = Waiting.make(bench, core, most * Rows.patience(data.rows), Exactness.judge(...judging))
    const begin: RowSearch["begin"] = (restart) => {
      core.restart = restart
      Waiting.begin(core)
      core.refresh = firstRefresh
      // A library that grows begins the restart when it is full.
      if (growing()) return
      if (core.mean !== undefined || core.weights !== core.opening) {
        core.mean = undefined
        core.weights = core.opening
        approximate.weigh(core.weights)
        respond(space.respond)
      }
      search.restart()
    }
    const step: RowSearch["step"] = () => {
      if (growing()) {
        search.step()
        if (growing()) return false
        open()
        recall()
        return false
      }
      const busy = search.step()
      if (core.unfinished) return false
      if (++core.steps === core.refresh) {
        core.refresh *= 2
        const best = bench.best()
        if (best !== undefined && (working.length > 1 || working[0]!.rough || noise !== undefined)) {
          refresh(best)
          // Other working responses are other scores: better ones than before are no find.
          core.leading = bench.best()?.score ?? -Infinity
        }
      }
      const best = bench.best()
      if (best === undefined) return !busy
      return waiting.over(best.score, judged() === "everywhere") || !busy
    }
    return {
      step,
      growing,
      begin,
      best: bench.lawful,
      settled: () => bench.lawful() === bench.best(),
      scored: () => bench.scoring.scored() - core.since,
      ensembles: () => {
        const lasting = new Set(bench.frontiers.flatMap(HallOfFame.lasting))
        return bench
          .kept()
          .filter(({ hasUnit }) => hasUnit)
          .map((entry) => ({
            link: links[entry.response]!,
            trees: entry.trees.map(space.tree),
            score: scoreOf(entry),
            found: Math.max(0, entry.found - core.since),
            key: `${links[entry.response]!}: ${HallOfFame.keyOf(entry)}`,
            stays: lasting.has(entry),
          }))
          .sort((a, b) => b.score - a.score)
      },
      exact: () => judged() === "everywhere",
      unexplained: () => {
        const best = bench.best()
        return best && best.rss / total()
      },
      misled: () => judged() === "here",
    }
  })
