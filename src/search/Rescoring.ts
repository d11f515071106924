import type * as Admission from "./Admission.ts"
import type { ApproximateEvidence } from "./ApproximateEvidence.ts"
import type { Regression } from "./BorderedRegression.ts"
import type * as Frontier from "./Frontier.ts"
import * as HallOfFame from "./HallOfFame.ts"
import type { SearchSpace } from "./SearchSpace.ts"

type Trees = ReadonlyArray<number>

/** The parts of scoring that known ensembles are scored with. */
export interface Parts extends Pick<Admission.Admission, "possible" | "suited" | "haveUnit" | "prior"> {
  /** the size of an ensemble */
  readonly sizeOf: (trees: Trees) => number
  readonly inChunks: (ids: Int32Array, use: (some: Int32Array, rows: Float64Array) => void) => void
  readonly alone: (frontier: Frontier.Frontier, ids: Int32Array) => void
  readonly forget: (frontier: Frontier.Frontier) => void
  /** the ensemble with the score of its law, where that is lower */
  readonly checked: (entry: HallOfFame.Entry) => HallOfFame.Entry
}

/** Scores ensembles that are known. */
export interface Rescoring {
  /** Scores the ensembles of a frontier anew, after its response has changed. */
  readonly again: (frontier: Frontier.Frontier) => void
  /** Scores the best ensemble without each of its trees: one that was found beside others may be the law without them. */
  readonly shorten: (frontier: Frontier.Frontier) => void
  /** Scores ensembles of nodes, and keeps those that are good enough. @returns those that could be scored */
  readonly take: (frontier: Frontier.Frontier, trees: ReadonlyArray<Trees>) => ReadonlyArray<HallOfFame.Entry>
}

/** @param data the number of ensembles scored, which goes up */
export const make = (
  space: SearchSpace,
  approximate: ApproximateEvidence,
  regression: Regression,
  data: { scored: number },
  { possible, suited, haveUnit, prior: priorBeside, sizeOf, inChunks, alone, forget, checked }: Parts,
): Rescoring => {
  const { attributes, responses } = space
  /** Ensembles scored as they are now; those that do not determine their coefficients are left out. */
  const anew = (
    response: number,
    entries: ReadonlyArray<HallOfFame.Entry>,
  ): ReadonlyArray<HallOfFame.Entry> => {
    const signatures = new Map<number, number>()
    const all = Int32Array.from(new Set(entries.flatMap(({ trees }) => trees)))
    regression.hold([], response)
    const width = regression.width()
    inChunks(all, (some, rows) =>
      some.forEach((id, i) => {
        if (regression.rss(rows, i * width) >= 0) signatures.set(id, regression.signature(rows, i * width))
      }),
    )
    const { unit } = responses[response]!
    return entries.flatMap((entry) => {
      const { trees } = entry
      const rss = regression.hold(trees, response) * unit
      if (!(rss >= 0) || regression.rank() < trees.length) return []
      const logEvidence = approximate.evidence(
        response,
        trees.length + attributes.fitted(attributes.numbers(trees), trees[0]!),
        rss,
      )
      const prior = priorBeside(response, trees.slice(0, -1))(trees.at(-1)!)
      const score = logEvidence + approximate.prior(response, trees.length, prior)
      const made = { ...entry, rss, logEvidence, score, signatures: trees.map((id) => signatures.get(id)!) }
      return [checked(made)]
    })
  }

  const again: Rescoring["again"] = (frontier) => {
    const { response } = frontier
    forget(frontier)
    const before = frontier.strata.flat()
    const singles = HallOfFame.idsOf(frontier.singles.flat())
    frontier.clear()
    alone(frontier, singles)
    anew(response, before).forEach(frontier.insert)
  }

  const take: Rescoring["take"] = (frontier, ensembles) => {
    attributes.update()
    const entries = ensembles
      .filter((trees) => trees.length > 0 && trees.length <= approximate.most && trees.every(possible))
      .filter((trees) =>
        trees.every(
          (id, k) => suited(frontier.response, Int32Array.of(id), trees.toSpliced(k, 1)).length > 0,
        ),
      )
      .map((trees): HallOfFame.Entry => ({
        response: frontier.response,
        trees,
        signatures: [],
        rss: NaN,
        logEvidence: NaN,
        score: NaN,
        size: sizeOf(trees),
        numbers: attributes.fitted(attributes.numbers(trees), trees[0]!),
        hasUnit: haveUnit(frontier.response, trees),
        searched: new Int32Array(trees.length + 1),
        found: data.scored,
      }))
    const scored = anew(frontier.response, entries)
    scored.forEach(frontier.insert)
    data.scored += entries.length
    return scored
  }

  const shortenOf = (frontier: Frontier.Frontier, best: () => HallOfFame.Entry | undefined): void => {
    for (let leader = best(); leader !== undefined && leader.trees.length > 1;) {
      const { trees } = leader
      take(
        frontier,
        trees.map((_, slot) => trees.toSpliced(slot, 1)),
      )
      const shorter = best()
      if (shorter === leader) return
      leader = shorter
    }
  }
  const shorten: Rescoring["shorten"] = (frontier) => {
    shortenOf(frontier, frontier.leader)
    if (frontier.lawful() !== frontier.leader()) shortenOf(frontier, frontier.lawful)
  }

  return { again, take, shorten }
}
