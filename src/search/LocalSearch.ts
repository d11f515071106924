import * as Rng from "../random/Rng.ts"
import type { ApproximateEvidence } from "./ApproximateEvidence.ts"
import * as ConstantExpressions from "./ConstantExpressions.ts"
import type { Claims } from "./Claims.ts"
import * as ConstantGrid from "./ConstantGrid.ts"
import type { ConstantFitting } from "./ConstantFitting.ts"
import * as ExpressionLibrary from "./ExpressionLibrary.ts"
import * as FittingTime from "./FittingTime.ts"
import * as Frontier from "./Frontier.ts"
import * as Hooks from "./Hooks.ts"
import * as HallOfFame from "./HallOfFame.ts"
import * as Monomials from "./Monomials.ts"
import * as Move from "./Move.ts"
import * as Neighbourhood from "./Neighbourhood.ts"
import * as OneMoreNumber from "./OneMoreNumber.ts"
import * as Remembering from "./Remembering.ts"
import * as Scoring from "./Scoring.ts"
import * as SearchSpace from "./SearchSpace.ts"
import * as FormChain from "./FormChain.ts"
import type { Core } from "./State.ts"
import * as UnitTerms from "./UnitTerms.ts"
import * as Workbench from "./Workbench.ts"

/** A local search for ensembles of hard trees under the responses of a space, step by step. */
export interface LocalSearch {
  readonly bench: Workbench.Workbench
  /** Takes a step of some milliseconds. @returns false when nothing is left to do */
  readonly step: () => boolean
  /** Tries the full library anew, after responses have changed, and begins with the best of its columns. */
  readonly reopen: () => void
  /** Scores ensembles of a response that were found elsewhere, and keeps those that are good enough. */
  readonly take: (response: number, ensembles: ReadonlyArray<ReadonlyArray<number>>) => void
  /**
   * Restarts from the full expression library, with the random numbers of the restart of the core and nothing found since: where
   * two restarts end at the same ensemble, each has found it. It does not matter which restarts were before it.
   */
  readonly restart: () => void
  /** Tries forms anew beside the terms of the best ensembles: rows have other weights. */
  readonly reconsider: () => void
  /** Sets a response (`SearchSpace.respond`) and scores its ensembles again. */
  readonly respond: (response: number, z: Float64Array, w: Float64Array) => void
}

/**
 * @param chances the random numbers of the core's restart, from its position on
 * @param key of what moves and grids of constants draw
 * @param core what the search knows: it goes on from there, and writes into it
 * @param links the place of each response's link among those of the likelihood
 * @param itself the response that is y itself; -1 if there is none
 * @param librarySize how many small expressions are made first
 * @param fitter fits constants in trees, where the grammar has such
 * @param claims what checks ensembles on the scale of y
 * @param isExact whether an ensemble that leaves next to nothing leaves rounding errors only
 */
export const make = (
  space: SearchSpace.SearchSpace,
  approximate: ApproximateEvidence,
  chances: () => Rng.Generator,
  key: Rng.Key,
  core: Core,
  links: ReadonlyArray<number>,
  itself: number,
  librarySize: number,
  fitter: ConstantFitting | undefined,
  moves: ReadonlyArray<Move.AnyMove>,
  claims: Omit<Claims, "leading">,
  isExact: (entry: HallOfFame.Entry) => boolean,
): LocalSearch => {
  const constants = ConstantExpressions.constantsOf(space)
  const numbers = ConstantExpressions.of(space)
  const monomials = Monomials.make(space)
  const library = ExpressionLibrary.make(space, librarySize, core.library, monomials.leaves())
  const neighbourhood = Neighbourhood.make(space, constants, library.ids)
  const frontiers = core.frontiers.map(Frontier.make)
  const scoring = Scoring.make(space, approximate, core.scoring, { ...claims, leading: () => leading() })
  const grid = (): ConstantGrid.ConstantGrid => ConstantGrid.of(Rng.fold(key, "grid"), core.restart)
  const tune: Workbench.Workbench["tune"] = (frontier, trees) =>
    spend(frontier, chain?.together(frontier, trees) ?? 0)
  const bench = Workbench.make(
    space,
    library,
    frontiers,
    links,
    itself,
    scoring,
    approximate,
    { constants, numbers, grid, tune },
    isExact,
    (bench, frontier, column) =>
      moves.flatMap((move) => [...(move.companions?.(bench, frontier, column) ?? [])]),
  )
  const hooks = Hooks.make(moves, bench)
  const leading = (): number => bench.best()?.score ?? -Infinity
  const { possible, alone, evaluate, scored } = scoring
  const unitTerms = UnitTerms.make(monomials, scoring, links)
  const fitting = fitter && OneMoreNumber.make(fitter, space, approximate)
  const chain =
    fitting && FormChain.make(scoring, approximate, fitting, library, FittingTime.cost, leading, grid)
  const { first, memories } = core
  const remembering = Remembering.make(moves, bench, core)
  const time = FittingTime.of(space)
  let generator = chances()
  /** What an unfinished step has chosen. The state of that step, at the position of the generator before it, has it chosen again. */
  let pending: Frontier.Choice | undefined

  /** The best column alone becomes an ensemble, unless it is one. */
  const beginWith = (frontier: Frontier.Frontier): void => {
    const best = HallOfFame.bestAlone(frontier)
    if (best === undefined || frontier.leader()?.trees[0] === best.id) return
    evaluate(frontier, [], [], Int32Array.of(best.id))
  }

  /** The first ensembles: the best columns of the library, and trees that the data show. */
  const begin = (): void => {
    for (const [i, frontier] of frontiers.entries()) evaluate(frontier, [], [], first[i]!)
    hooks.first()
  }

  /** Grows the library by a batch, and tries its expressions alone: a search that ends before it is full has the best. Larger ensembles begin then. */
  const grow = (): void => {
    const isFirst = library.ids.length === 0
    library.grow((found) => {
      const ids = found.filter(possible)
      for (const frontier of frontiers) {
        alone(frontier, ids)
        unitTerms.grown(frontier, ids, library.ids.length - found.length)
      }
    })
    if (isFirst) hooks.first()
    if (library.growing()) {
      for (const frontier of frontiers) beginWith(frontier)
      return
    }
    core.mark = space.dag.size()
    core.numbers = core.constants.length
    open()
  }

  /** Begins with the best columns of the library, and with those that units complete, which may be larger than columns alone are kept. */
  const open = (): void => {
    first.splice(0, first.length, ...frontiers.map(HallOfFame.columns))
    if (core.restart > 0) restart()
    else begin()
    core.opened = scored()
  }

  const reopen = (): void => {
    for (const frontier of frontiers) {
      Frontier.forget(frontier)
      scoring.forget(frontier)
      alone(frontier, bench.columns())
      unitTerms.again(frontier, bench.columns())
    }
    open()
  }

  const restart = (): void => {
    chain?.forget()
    remembering.forget()
    pending = undefined
    core.forms = core.position = core.fittings = 0
    moves.forEach((move, i) => {
      // The memory is that of this move; the list of moves hides its type.
      memories[i] = move.restart === undefined ? Move.memoryOf(move, key) : move.restart(memories[i] as never)
    })
    for (const frontier of frontiers) {
      Frontier.forget(frontier)
      scoring.forget(frontier)
    }
    SearchSpace.forget(space, core.mark, core.numbers)
    generator = chances()
    core.since = core.opened = scored()
    for (const [i, frontier] of frontiers.entries()) alone(frontier, first[i]!)
    begin()
  }

  const complete = (
    frontier: Frontier.Frontier,
    column: Pick<HallOfFame.Single, "id" | "signature">,
  ): void => {
    frontier.completed.add(column.id)
    hooks.column(frontier, column)
  }

  /** Searches one level further around a slot of an ensemble. */
  const expand = (frontier: Frontier.Frontier, entry: HallOfFame.Entry, slot: number): void => {
    const level = entry.searched[slot]!
    entry.searched[slot] = level + 1
    const reach = Neighbourhood.levels[level]!
    const { trees, signatures } = entry
    if (slot === trees.length) {
      evaluate(frontier, trees, signatures, bench.columns().subarray(0, reach.add))
      return
    }
    const others = HallOfFame.without(entry, slot)
    const id = trees[slot]!
    if (level === 0) {
      hooks.slot(frontier, { tree: id, others })
      if (!frontier.completed.has(id)) complete(frontier, { id, signature: signatures[slot]! })
    }
    const parts = hooks.parts(frontier, level)
    bench.briefly(frontier, others, () => {
      const count = neighbourhood.of(id, links[frontier.response]!, { ...parts, most: reach })
      return neighbourhood.ids().subarray(0, count)
    })
  }

  /** Fits constants in one tree of an ensemble. */
  const fit = (frontier: Frontier.Frontier, entry: HallOfFame.Held, slot: number): void => {
    frontier.fitted.add(Frontier.slotKey(entry, slot))
    spend(frontier, FittingTime.cost)
    const others = HallOfFame.without(entry, slot)
    const ids = fitting?.withOneMore(frontier.response, others.trees, entry.trees[slot]!)
    if (ids !== undefined && ids.length > 0) evaluate(frontier, others.trees, others.signatures, ids)
  }

  /** Counts the time of fits of constants, in ensembles that are scored in it, against a frontier. */
  const spend = (frontier: Frontier.Frontier, time: number): void => {
    const fits = time / FittingTime.cost
    core.fittings += fits
    frontier.fitting += Math.floor(fits) * FittingTime.cost
  }
  /** Makes the moves around all trees of ensembles that are the best of a response now, whatever step or move has found them. */
  const promote = (frontier: Frontier.Frontier): void => {
    const before = scored()
    const leaders = Frontier.risen(frontier)
    for (const leader of leaders) {
      leader.trees.forEach((tree, slot) =>
        hooks.slot(frontier, { tree, others: HallOfFame.without(leader, slot) }),
      )
      if (leader.trees.length > 1) spend(frontier, chain?.together(frontier, leader.trees) ?? 0)
    }
    if (leaders.length > 0) scoring.shorten(frontier)
    frontier.spent += scored() - before
  }

  const search = (): boolean => {
    // A law that leaves nothing has no constant to be fitted.
    const fits = chain !== undefined && time.has(scored(), core, core.fittings) && !bench.leavesNothing()
    const frontier = fits ? Frontier.fittingTurn(frontiers, frontiers[itself]) : Frontier.turn(frontiers)
    if (frontier === undefined || frontier.spent === Infinity) return false
    const choice = (pending ??= Frontier.choose(
      frontier,
      approximate.most,
      Neighbourhood.levels.length,
      generator,
      fits,
      frontier.response === itself || frontier.leader()?.score === leading(),
    ))
    const needsForms = choice !== undefined && ("survey" in choice || "sums" in choice)
    core.unfinished = needsForms && chain?.prepare(core) === false
    if (core.unfinished) return true
    pending = undefined
    const before = scored()
    if (choice === undefined) frontier.spent = Infinity
    else if ("complete" in choice) complete(frontier, choice.complete)
    else if ("fit" in choice) fit(frontier, choice.fit, choice.slot)
    else if ("survey" in choice) spend(frontier, chain?.beside(frontier, choice.survey) ?? 0)
    else if ("sums" in choice) spend(frontier, chain?.sums(frontier) ?? 0)
    else expand(frontier, choice.expand, choice.slot)
    frontier[needsForms || (choice !== undefined && "fit" in choice) ? "fitting" : "spent"] +=
      scored() - before
    return true
  }

  /** Takes a part of a step of a full library. @returns false when nothing is left to do */
  const advance = (): boolean => {
    if (core.remembering === undefined) {
      const busy = search()
      if (core.unfinished) return true
      core.position = generator.position()
      if (!busy) return false
    }
    core.unfinished = !remembering.next()
    return true
  }

  return {
    bench,
    step: () => {
      if (library.growing()) {
        grow()
        return true
      }
      const busy = advance()
      if (!core.unfinished) frontiers.forEach(promote)
      return busy
    },
    take: (response, ensembles) => scoring.take(frontiers[response]!, ensembles),
    respond: (response, z, w) => {
      space.respond(response, z, w)
      scoring.again(frontiers[response]!)
    },
    reconsider: () => frontiers.forEach(Frontier.reconsider),
    restart,
    reopen,
  }
}
