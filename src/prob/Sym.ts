import type { Support, VectorSupport } from "./Support.ts"

/**
 * The symbolic value of a site: what `Model.sample` returns while a model program is traced. It stands for a draw of
 * the site in later declarations, for instance as the weights of a categorical prior.
 */
export interface Sym<S extends Support = Support> {
  readonly _tag: "Sym"
  /** The full name of the site, plates included: `"trees.operator"`. */
  readonly site: string
  readonly support: S
  /** Lengths of the enclosing plates, outermost first; `[]` outside of any plate. */
  readonly shape: ReadonlyArray<number>
  /** Length of the event axis: m for a simplex, d + 1 for coefficients, 1 for scalar supports. */
  readonly size: number
}

/** The symbolic value of a site. `size` matters only where the support has an event axis. */
export const make = <S extends Support>(
  site: string,
  support: S,
  shape: ReadonlyArray<number>,
  ...[size]: S extends VectorSupport ? [size: number] : [size?: 1]
): Sym<S> => ({ _tag: "Sym", site, support, shape, size: size ?? 1 })

/** Whether a prior's parameter is the value of another site, and not a number or an array of numbers. */
export const isSym = (parameter: unknown): parameter is Sym =>
  typeof parameter === "object" && parameter !== null && "_tag" in parameter && parameter._tag === "Sym"
