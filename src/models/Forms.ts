import type { Uses } from "../prob/tree/Nesting.ts"

/** What forms of named laws of science are made of. */
export interface Forms {
  /** Dirichlet concentrations of operator weights */
  readonly operators: Readonly<Record<string, number>>
  /** Dirichlet concentrations of the constants 1, 2 and pi, and of a fitted constant; a feature has 2 */
  readonly terminals: Readonly<Record<string, number>>
  /** the probability of an operator at depth 0, 1, ...; the last holds for all deeper nodes */
  readonly split: ReadonlyArray<number>
  /** the prior inclusion probability of a term */
  readonly inclusion: number
  /** relative weights of links */
  readonly links: Readonly<Record<string, number>>
  /** how often operators and leaves stand at each place (docs/adr/0041) */
  readonly uses: Uses
}
