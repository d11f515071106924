import * as Layer from "effect/Layer"
import * as Constant from "../../src/prob/Constant.ts"
import * as Dist from "../../src/prob/Dist.ts"
import * as Link from "../../src/prob/Link.ts"
import * as Family from "../../src/vi/Family.ts"
import { all, type Move } from "../../src/search/Moves.ts"
import * as Objective from "../../src/vi/Objective.ts"
import * as Law from "../../src/models/law.ts"
import type * as Session from "../../src/search/Session.ts"

type Changeable = "links" | "constants" | "trees" | "depth" | "learned"

/** How a search differs from the shipped one, to see what its parts bring. */
export interface Variant {
  /** in words, after "the search": a row of the table */
  readonly what: string
  readonly options?: Pick<Law.Options, Changeable>
  readonly objective?: Partial<Session.Settings>
  /** a family in which children depend on their parents, in place of mean field */
  readonly conditional?: true
}

const withoutAll = (name: string, what: string, moves: ReadonlyArray<Move>): readonly [string, Variant] => [
  `without-${name}`,
  { what: `without ${what}`, objective: { moves: new Set([...all].filter((one) => !moves.includes(one))) } },
]

const without = (move: Move, what: string): readonly [string, Variant] => withoutAll(move, what, [move])

const three: ReadonlyArray<Move> = ["numerals", "spreading", "dropping"]

/** By the names under which `run.ts` knows them as solvers, behind `vasst-`. */
export const variants: Readonly<Record<string, Variant>> = Object.fromEntries<Variant>([
  ["without-links", { what: "without links", options: { links: [Link.identity] } }],
  ["without-constants", { what: "without the constants 1, 2 and pi", options: { constants: [] } }],
  ["one-tree", { what: "with one tree", options: { trees: 1 } }],
  ["shallow", { what: "with trees of depth 3", options: { depth: 3 } }],
  ["deep", { what: "with trees of depth 7", options: { depth: 7 } }],
  ["learned", { what: "with learned constants", options: { learned: Constant.learned(Dist.normal(0, 10)) } }],
  ["small-bank", { what: "with 1,000 small expressions", objective: { bank: 1000 } }],
  ["all-rows", { what: "on all rows", objective: { rows: Infinity } }],
  without("completion", "completing columns to ensembles"),
  without("recombination", "trying all kept trees in every slot"),
  without("likes", "likes in other features"),
  without("numerals", "numbers made of the constants"),
  without("lifting", "operators on top of subtrees combined with a constant"),
  without("sharing", "subtrees of the best ensembles as parts"),
  without("spreading", "trying trees under every link"),
  without("dropping", "leaving trees out"),
  without("restarting", "starting anew"),
  withoutAll("three", "numbers, trying under every link, and leaving out", three),
  withoutAll("four", "numbers, trying, leaving out, and likes", [...three, "likes"]),
  withoutAll("five", "numbers, trying, leaving out, likes, and completing", [
    ...three,
    "likes",
    "completion",
  ]),
  ["without-draws", { what: "without draws from q", objective: { share: 0 } }],
  ["more-draws", { what: "with half of the work for draws from q", objective: { share: 0.5 } }],
  ["conditional", { what: "with a family of parent-conditional trees", conditional: true }],
])

/** What `Law.fit` is told for a variant; nothing for the shipped search. */
export const optionsOf = (
  variant: Variant | undefined,
  time: number,
): Pick<Law.Options, Changeable | "inference"> => {
  if (variant === undefined) return {}
  const { options = {}, objective = {}, conditional } = variant
  return {
    ...options,
    inference: (law) => {
      // What comes later counts.
      const changed = Layer.merge(Law.inference(law, { time }), Objective.inclusive(objective))
      return conditional === true ? Layer.merge(changed, Family.treeConditional(law)) : changed
    },
  }
}
