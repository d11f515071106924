import type { ApproximateEvidence } from "./ApproximateEvidence.ts"
import type { Scored } from "./HallOfFame.ts"
import type { SearchSpace } from "./SearchSpace.ts"

type Trees = ReadonlyArray<number>

/** What the prior says of ensembles before they are evaluated. */
export interface Admission {
  /** Whether a node can be a tree: it varies, and its prior is not 0. */
  readonly possible: (id: number) => boolean
  /** The trees that a response's link takes in a search, and that no restriction of laws excludes beside others. */
  readonly suited: (response: number, ids: Int32Array, others?: Trees) => Int32Array
  /** The log priors of others and one more tree, restrictions of laws included, with a penalty for what the law lacks. */
  readonly prior: (response: number, others: Trees) => (id: number) => number
  /** Whether all of some trees have the unit that a response's link takes; true where columns have no units. */
  readonly haveUnit: (response: number, trees: Trees) => boolean
  /** Whether an ensemble lacks nothing that laws must have. */
  readonly isComplete: (ensemble: Pick<Scored, "response" | "trees">) => boolean
}

export const make = (
  { attributes }: Pick<SearchSpace, "attributes">,
  { links }: Pick<ApproximateEvidence, "links">,
): Admission => {
  const { laws, dimensions } = attributes
  const haveUnit: Admission["haveUnit"] = (response, trees) =>
    dimensions === undefined || trees.every((id) => attributes.isLawful(links[response]!, id))
  return {
    possible: (id) => attributes.varies(id) && attributes.logPrior(id) > -Infinity,
    suited: (response, ids, others = []) => {
      const link = links[response]!
      const suits = (id: number): boolean => attributes.suits(link, attributes.dimension(id))
      const taken = dimensions === undefined ? ids : ids.filter(suits)
      if (laws === undefined) return taken
      const log = laws.beside(link, others)
      return taken.filter((id) => log(id) > -Infinity)
    },
    prior: (response, others) => {
      const link = links[response]!
      const held = others.reduce((sum, id) => sum + attributes.logPrior(id, link), 0)
      if (laws === undefined) return (id) => held + attributes.logPrior(id, link)
      const together = laws.beside(link, others)
      return (id) => held + attributes.logPrior(id, link) + together(id)
    },
    haveUnit,
    isComplete: ({ response, trees }) => laws === undefined || laws.law(links[response]!, trees) > -Infinity,
  }
}
