import type { Key } from "../random/Rng.ts"
import type { Factor, FactorSite, ParameterSlot } from "./Factor.ts"
import type { Support } from "./Support.ts"

/**
 * Hard draws of sites by the names of the sites, draws outermost, as `Factor.sample` returns them. NaN stands for an element
 * that is summed out.
 */
export type Values = ReadonlyMap<string, Float64Array>

/** Weighted draws of several sites; see `WeightedDraws`. */
export interface WeightedValues {
  readonly values: Values
  /** one for each draw, not negative, with the sum 1 */
  readonly weights: ArrayLike<number>
}

/**
 * A distribution q of hard draws of one or more sites together: a factor, or a distribution under which sites depend on
 * each other. Each site of a plan is in one. Members are as those of `Factor`, over all of its sites; values of other sites
 * are not read.
 */
export interface Joint {
  /** the name in a printed plan */
  readonly name: string
  readonly sites: ReadonlyArray<string>
  readonly parameters: ReadonlyArray<ParameterSlot>
  /** exact draws, `count` of each site */
  readonly sample: (key: Key, parameters: ReadonlyArray<ArrayLike<number>>, count: number) => Values
  /** log q of each draw */
  readonly logDensity?:
    ((parameters: ReadonlyArray<ArrayLike<number>>, values: Values) => Float64Array) | undefined
  /** the derivatives of sum_h weights_h log q(x_h) by the parameters, slot by slot */
  readonly score?:
    | ((
        parameters: ReadonlyArray<ArrayLike<number>>,
        values: Values,
        weights: ArrayLike<number>,
      ) => ReadonlyArray<Float64Array>)
    | undefined
  /**
   * Parameters with a smaller KL((1 - rate) q + rate p^ || q') than those of q, the smallest where it has a closed form.
   *
   * @param rate in [0, 1]
   */
  readonly project?:
    | ((
        parameters: ReadonlyArray<ArrayLike<number>>,
        draws: WeightedValues,
        rate: number,
      ) => ReadonlyArray<Float64Array>)
    | undefined
}

/** The key of a joint's parameters in a plan: the names of its sites. */
export const keyOf = ({ sites }: Joint): string => sites.join(", ")

/** A joint as messages name it. */
export const describe = ({ name, sites }: Joint): string =>
  sites.length === 1
    ? `the factor ${name} of the site "${sites[0]}"`
    : `the distribution ${name} of the sites ${sites.map((site) => `"${site}"`).join(", ")}`

/** The joint of one site: its factor. */
export const single = (site: string, factor: Factor): Joint => {
  const { logDensity, score, project } = factor
  // A joint gets the values of its sites.
  const own = (values: Values): Float64Array => values.get(site)!
  return {
    name: factor.name,
    sites: [site],
    parameters: factor.parameters,
    sample: (key, parameters, count) => new Map([[site, factor.sample(key, parameters, count)]]),
    logDensity: logDensity && ((parameters, values) => logDensity(parameters, own(values))),
    score: score && ((parameters, values, weights) => score(parameters, own(values), weights)),
    project:
      project &&
      ((parameters, { values, weights }, rate) =>
        project(parameters, { values: own(values), weights }, rate)),
  }
}

/**
 * The factor that stands for a joint at one of its sites, in a plan. It has no parameters, since they are the joint's, and no
 * relaxed draw, so that `Plan.relaxable` refuses it.
 */
export const part = <S extends Support>(joint: Joint, { name, support }: FactorSite<S>): Factor<S> => {
  const refuse = (): never => {
    throw new Error(`the site "${name}" is drawn together with others, by ${joint.name}; use its joint`)
  }
  return {
    name: joint.name,
    support,
    parameters: [],
    noise: [],
    moments: refuse,
    divergence: refuse,
    sample: refuse,
  }
}
