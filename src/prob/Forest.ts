import type { Grammar } from "./Grammar.ts"
import type * as Prior from "./Prior.ts"
import type { Sym } from "./Sym.ts"
import type { Restriction } from "./tree/Restriction.ts"

/**
 * The symbolic value of one or more latent trees, from which a likelihood takes its columns. Made by `Tree.prior`.
 */
export interface Forest {
  readonly _tag: "Forest"
  readonly grammar: Grammar
  readonly depth: number
  readonly split: Prior.Split
  /** The number of trees, K: the product of the plates around the prior. */
  readonly trees: number
  readonly weights: { readonly operators: Sym<"simplex">; readonly terminals: Sym<"simplex"> }
  readonly sites: { readonly split: string; readonly operator: string; readonly terminal: string }
  /** The sites of the values of fitted constants; undefined where these values are no sites of the model. */
  readonly values?: ReadonlyArray<Values> | undefined
  /** The restrictions of the prior; see `Tree.prior`. */
  readonly restrictions?: ReadonlyArray<Restriction> | undefined
}

/** The latent values of one fitted constant: a number for every node of every tree. */
export interface Values {
  /** index of the fitted constant among the grammar's terminals */
  readonly terminal: number
  /** the site's full name, such as `trees.value.c` */
  readonly site: string
}
