import type { Generator, Key } from "../random/Rng.ts"
import type { ApproximateEvidence } from "./ApproximateEvidence.ts"
import * as ConstantExpressions from "./ConstantExpressions.ts"
import type { ConstantFitting } from "./ConstantFitting.ts"
import * as ExpressionLibrary from "./ExpressionLibrary.ts"
import * as Frontier from "./Frontier.ts"
import * as HallOfFame from "./HallOfFame.ts"
import * as Move from "./Move.ts"
import * as Neighbourhood from "./Neighbourhood.ts"
import * as Scoring from "./Scoring.ts"
import * as SearchSpace from "./SearchSpace.ts"
import * as FormLibrary from "./FormLibrary.ts"
import type { Core } from "./State.ts"
import { temporary } from "./Temporary.ts"
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
  /** Sets a response (`SearchSpace.respond`) and scores its ensembles again. */
  readonly respond: (response: number, z: Float64Array, w: Float64Array) => void
}

/** How far levels of search reach: replacements, partners, and expressions to add. */
const levels = [
  { replacements: 60, partners: 30, add: 2000 },
  { replacements: 400, partners: 120, add: 10000 },
  { replacements: 3000, partners: 600, add: 100000 },
]

/** What fitting constants takes, in ensembles scored. */
const fitting = 400
/** The forms whose constants are fitted, of those that are tried beside trees. */
const surveyed = 12
/**
 * The share of the time that constants are fitted in, and the ensembles that are scored before: of few rows a fit takes little, and a law
 * without constants is found first where there is one.
 */
const shareOf = (rows: number): number => Math.min(0.5, Math.max(0.2, 50 / rows))
const scoredBefore = (rows: number): number => (rows <= 100 ? 0 : 200_000)

/**
 * @param chances the random numbers of the core's restart, from its position on
 * @param key of what moves draw
 * @param core what the search knows: it goes on from there, and writes into it
 * @param links the place of each response's link among those of the likelihood
 * @param librarySize how many small expressions are made first
 * @param fitter fits constants in trees, where the grammar has such
 */
export const make = (
  space: SearchSpace.SearchSpace,
  approximate: ApproximateEvidence,
  chances: () => Generator,
  key: Key,
  core: Core,
  links: ReadonlyArray<number>,
  librarySize: number,
  fitter: ConstantFitting | undefined,
  moves: ReadonlyArray<Move.AnyMove>,
): LocalSearch => {
  const { attributes, responses } = space
  const constants = ConstantExpressions.constantsOf(space)
  const numbers = ConstantExpressions.of(space)
  const library = ExpressionLibrary.make(space, librarySize, core.library)
  const neighbourhood = Neighbourhood.make(space, constants)
  const frontiers = core.frontiers.map(Frontier.make)
  const scoring = Scoring.make(space, approximate, core.scoring)
  const bench = Workbench.make(
    space,
    library,
    frontiers,
    links,
    scoring,
    approximate,
    { constants, numbers, tune: (frontier, trees) => together(frontier, trees) },
    (bench, frontier, column) =>
      moves.flatMap((move) => [...(move.companions?.(bench, frontier, column) ?? [])]),
  )
  const { possible, alone, evaluate, scored } = scoring
  const { first, memories } = core
  let generator = chances()

  /** The forms with constants, made when they are first needed in a restart, or before all restarts where they come first in each. */
  let known: FormLibrary.FormLibrary | undefined
  const formsFirst = scoredBefore(space.rows) === 0

  /** Grows the library by a batch, and tries its expressions alone; ensembles begin with the best when it is full. */
  const grow = (): void => {
    library.grow((found) => {
      const ids = found.filter(possible)
      for (const frontier of frontiers) alone(frontier, ids)
    })
    if (library.growing()) return
    if (formsFirst) known = fitter?.forms(library)
    core.mark = space.dag.size()
    core.numbers = core.constants.length
    open()
  }

  /** Begins with the best columns of the library. */
  const open = (): void => {
    first.length = 0
    for (const frontier of frontiers) first.push(HallOfFame.idsOf(frontier.singles.flat()))
    if (core.restart > 0) restart()
    else for (const [i, frontier] of frontiers.entries()) evaluate(frontier, [], [], first[i]!)
  }

  const reopen = (): void => {
    for (const frontier of frontiers) {
      Frontier.forget(frontier)
      scoring.forget(frontier)
      alone(frontier, bench.columns())
    }
    open()
  }

  const restart = (): void => {
    if (!formsFirst) known = undefined
    moves.forEach((move, i) => {
      // The memory is that of this move; the list of moves hides its type.
      memories[i] = move.restart === undefined ? Move.memoryOf(move, key) : move.restart(memories[i] as never)
    })
    for (const frontier of frontiers) {
      Frontier.forget(frontier)
      scoring.forget(frontier)
    }
    SearchSpace.forget(space, core.mark, core.numbers)
    core.position = 0
    generator = chances()
    core.since = scored()
    core.fittings = 0
    for (const [i, frontier] of frontiers.entries()) {
      alone(frontier, first[i]!)
      evaluate(frontier, [], [], first[i]!)
    }
  }

  const complete = (
    frontier: Frontier.Frontier,
    column: Pick<HallOfFame.Single, "id" | "signature">,
  ): void => {
    frontier.completed.add(column.id)
    for (const move of moves) move.column?.(bench, frontier, column)
  }

  const around = (frontier: Frontier.Frontier, tree: number, others: HallOfFame.Held): void => {
    for (const move of moves) move.slot?.(bench, frontier, { tree, others })
  }

  /** Searches one level further around a slot of an ensemble. */
  const expand = (frontier: Frontier.Frontier, entry: HallOfFame.Entry, slot: number): void => {
    const level = entry.searched[slot]!
    entry.searched[slot] = level + 1
    const reach = levels[level]!
    const { trees, signatures } = entry
    if (slot === trees.length) {
      evaluate(frontier, trees, signatures, bench.columns().subarray(0, reach.add))
      return
    }
    const others = HallOfFame.without(entry, slot)
    const id = trees[slot]!
    if (level === 0) {
      around(frontier, id, others)
      if (!frontier.completed.has(id)) complete(frontier, { id, signature: signatures[slot]! })
    }
    const parts = moves.flatMap((move) => move.parts?.(bench, frontier, level) ?? [])
    const of = (key: "replacements" | "partners" | "shifts"): ReadonlyArray<number> =>
      parts.flatMap((part) => part[key] ?? [])
    const found: Array<{ readonly trees: Array<number> }> = []
    const now = temporary(space, () => {
      const count = neighbourhood.of(id, {
        replacements: [...new Set([...of("replacements"), ...library.ids.slice(0, reach.replacements)])],
        partners: [...new Set([...library.ids.slice(0, reach.partners), ...of("partners")])],
        swaps: parts.reduce((sum, { swaps = 0 }) => sum + swaps, 0),
        shifts: of("shifts"),
      })
      evaluate(frontier, others.trees, others.signatures, neighbourhood.ids(), count, found)
      return found.map(({ trees }) => trees.at(-1)!)
    })
    for (const { trees } of found) trees[trees.length - 1] = now(trees.at(-1)!)
  }

  const share = shareOf(space.rows)
  const mayFit = (): boolean =>
    fitter !== undefined &&
    scored() - core.since >= scoredBefore(space.rows) &&
    core.fittings * fitting * (1 - share) <= share * (scored() - core.since)
  /** Fits constants in one tree of an ensemble. */
  const fit = (frontier: Frontier.Frontier, entry: HallOfFame.Held, slot: number): void => {
    const { response } = frontier
    frontier.fitted.add(Frontier.slotKey(entry, slot))
    frontier.spent += fitting
    core.fittings++
    const others = HallOfFame.without(entry, slot)
    const { unit } = responses[response]!
    const ids = fitter?.of(response, others.trees, entry.trees[slot]!, (rss, fitted) =>
      approximate.evidence(response, others.trees.length + 1 + fitted, rss * unit),
    )
    if (ids === undefined || ids.length === 0) return
    evaluate(frontier, others.trees, others.signatures, ids)
  }

  /** Tries forms with constants beside trees, and fits the constants of the best forms. */
  const survey = (frontier: Frontier.Frontier, held: HallOfFame.Held): void => {
    frontier.surveyed.add(Frontier.heldKey(held))
    if (fitter === undefined) return
    known ??= fitter.forms(library)
    const { ids, forms } = known
    const before = scored()
    const scores = scoring.survey(frontier, held.trees, ids)
    const first = FormLibrary.best(forms, scores).slice(0, surveyed)
    const nodes = first.map((i) => fitter.refined(frontier.response, held.trees, ids[i]!)).filter(possible)
    core.fittings += first.length + (scored() - before) / fitting
    frontier.spent += first.length * fitting
    evaluate(frontier, held.trees, held.signatures, Int32Array.from(nodes))
    const { id, signature } = scoring.best
    if (id < 0) return
    const next = { trees: [...held.trees, id], signatures: [...held.signatures, signature] }
    if (next.trees.length > 1) together(frontier, next.trees)
    if (next.trees.length < approximate.most && !frontier.surveyed.has(Frontier.heldKey(next)))
      survey(frontier, next)
  }
  /** Fits all constants of an ensemble together. */
  const together = (frontier: Frontier.Frontier, trees: ReadonlyArray<number>): void => {
    const fitted = fitter?.together(frontier.response, trees)
    if (fitted === undefined || !fitted.every(possible)) return
    core.fittings++
    scoring.take(frontier, [fitted])
  }

  const search = (): boolean => {
    const frontier = Frontier.turn(frontiers)
    if (frontier === undefined || frontier.spent === Infinity) return false
    const choice = Frontier.choose(frontier, approximate.most, levels.length, generator, mayFit())
    const before = scored()
    const led = frontier.leader()
    if (choice === undefined) frontier.spent = Infinity
    else if ("complete" in choice) complete(frontier, choice.complete)
    else if ("fit" in choice) fit(frontier, choice.fit, choice.slot)
    else if ("survey" in choice) survey(frontier, choice.survey)
    else expand(frontier, choice.expand, choice.slot)
    const leader = frontier.leader()
    if (leader !== undefined && leader !== led)
      leader.trees.forEach((tree, slot) => around(frontier, tree, HallOfFame.without(leader, slot)))
    if (leader !== undefined && leader !== led && leader.trees.length > 1) together(frontier, leader.trees)
    frontier.spent += scored() - before
    return true
  }
  const remember = (): void => {
    moves.forEach((move, i) => {
      // Each move is given the memory that it gave (`Move.make`).
      if (move.step !== undefined) memories[i] = move.step(bench, memories[i] as never)
    })
  }

  return {
    bench,
    step: () => {
      if (library.growing()) {
        grow()
        return true
      }
      const busy = search()
      if (busy) remember()
      core.position = generator.position()
      return busy
    },
    take: (response, ensembles) => {
      attributes.update()
      scoring.take(frontiers[response]!, ensembles)
    },
    respond: (response, z, w) => {
      space.respond(response, z, w)
      scoring.again(frontiers[response]!)
    },
    restart,
    reopen,
  }
}
