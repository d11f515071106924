import type { Algebra } from "../../numeric/Algebra.ts"
import * as Real from "../../numeric/Real.ts"
import { CompileError } from "../../errors/Errors.ts"
import { lazy } from "../../internal/once.ts"
import type { Conditional, Dist, Known, Lifted, Parameter } from "../../prob/dist/Distribution.ts"
import type { Draws, FactorSite } from "../../prob/Factor.ts"
import type { Moments } from "../../prob/Moments.ts"
import type { Support } from "../../prob/Support.ts"
import { isSym } from "../../prob/Sym.ts"

/** A constant array of an engine, row-major. */
export type Constant<T> = (values: ReadonlyArray<number>, shape: ReadonlyArray<number>) => T

/** The functions and values of an engine from which a factor computes its divergence; see `Factor.divergence`. */
export interface Setting<T> {
  readonly A: Algebra<T>
  readonly constant: Constant<T>
  readonly parent: (site: string) => Moments<T>
  readonly draws: Draws<T> | undefined
}

/** The moments, entropy and draw of a factor. */
export interface Own<T> {
  readonly moments: Moments<T>
  /** -E_q[log q(x)], elementwise */
  readonly entropy: T
}

/** The distributions with known parameters that are the priors of a site: one, or one for each element of its last axis. */
export const knownPriors = <S extends Support>({ prior }: FactorSite<S>): ReadonlyArray<Dist<S>> => {
  if (prior._tag === "Each") return prior.dists
  return prior.dist._tag === "Conditional" ? [] : [prior.dist]
}

/**
 * The distributions at which a factor may start: the priors. A prior that depends on other sites is taken at the values
 * 0 (real), 1 (positive), 1/2 (unit) or equal weights (simplex).
 */
export const typicalPriors = <S extends Support>(site: FactorSite<S>): ReadonlyArray<Dist<S>> => {
  const { prior } = site
  if (prior._tag === "Each" || prior.dist._tag === "Dist") return knownPriors(site)
  const entries = Object.entries(prior.dist.parameters).map(([name, parameter]) => [name, typical(parameter)])
  return [prior.dist.at(Object.fromEntries(entries))]
}

const typical = (parameter: Parameter): Known => {
  if (!isSym(parameter)) return parameter
  switch (parameter.support) {
    case "real":
      return 0
    case "unit":
      return 0.5
    case "simplex":
      return Array.from({ length: parameter.size }, () => 1 / parameter.size)
    default:
      return 1
  }
}

/** Priors of one family, and the elements of the innermost axis that have them. */
interface Group {
  readonly lifted: Lifted
  readonly name: string
  /**
   * for each element the parameters of its prior; those of another element of the group if its prior is of another
   * family
   */
  readonly parameters: ReadonlyArray<Readonly<Record<string, Parameter>>>
  /** 1 where the elements are of the group; undefined where all are */
  readonly mask: ReadonlyArray<number> | undefined
}

/** The families among the priors of a site. @throws CompileError for a prior without a density over an algebra */
const groupsOf = (site: FactorSite): ReadonlyArray<Group> => {
  const { prior } = site
  const priors: ReadonlyArray<Dist | Conditional> = prior._tag === "Each" ? prior.dists : [prior.dist]
  const families = new Map<Lifted, Dist | Conditional>()
  for (const one of priors) {
    if (one.lifted === undefined)
      throw new CompileError({
        message: `the prior ${one.name} of the site "${site.name}" has no density over an algebra; make it with Dist.make`,
      })
    if (!families.has(one.lifted)) families.set(one.lifted, one)
  }
  return [...families].map(([lifted, first]) => ({
    lifted,
    name: first.name,
    parameters: priors.map((one) => (one.lifted === lifted ? one.parameters : first.parameters)),
    mask: families.size === 1 ? undefined : priors.map((one) => (one.lifted === lifted ? 1 : 0)),
  }))
}

/** The values of one parameter for all elements: `[]` where they share it, `[n]` else; a vector's axis comes last. */
const lift = <T>(constant: Constant<T>, values: ReadonlyArray<Known>): T => {
  const [first] = values
  const event = typeof first === "number" || first === undefined ? [] : [first.length]
  return constant(values.flat(), [...(values.length === 1 ? [] : [values.length]), ...event])
}

/** The moments of known numbers, each computed when first read. */
const certain = <T>(constant: Constant<T>, values: ReadonlyArray<Known>): Moments<T> => {
  const each = (f: (x: number) => number): T =>
    lift(
      constant,
      values.map((value) => (typeof value === "number" ? f(value) : value.map(f))),
    )
  return lazy<Required<Moments<T>>>({
    mean: () => each((x) => x),
    square: () => each((x) => x * x),
    log: () => each(Real.log),
    logSquare: () => each((x) => Real.log(x) ** 2),
    log1m: () => each((x) => Real.log1p(-x)),
    inverse: () => each((x) => 1 / x),
    inverseSquare: () => each((x) => 1 / (x * x)),
  })
}

/** The site whose value a parameter is: one for all elements, because priors that differ have known parameters. */
const latent = ({ parameters }: Group, name: string): string | undefined => {
  const parameter = parameters[0]?.[name]
  return isSym(parameter) ? parameter.site : undefined
}

/** The parameters of a prior, all of which are numbers or vectors. */
const known = (parameters: Readonly<Record<string, Parameter>>): Readonly<Record<string, Known>> =>
  // Parameters that are sites are read by `latent`, before these.
  parameters as Readonly<Record<string, Known>>

const closed = <T>({ A, constant, parent }: Setting<T>, group: Group, q: Moments<T>): T | undefined =>
  group.lifted.crossEntropy?.(A)(q, {
    moments: (name) => {
      const site = latent(group, name)
      return site === undefined
        ? certain(
            constant,
            group.parameters.map((one) => known(one)[name]!),
          )
        : parent(site)
    },
    constant: (f) =>
      Object.keys(group.parameters[0] ?? {}).some((name) => latent(group, name) !== undefined)
        ? undefined
        : lift(
            constant,
            group.parameters.map((one) => f(known(one))),
          ),
  })

/** The sum over groups, each on its own elements. */
const together = <T>(
  { A, constant }: Setting<T>,
  parts: ReadonlyArray<{ readonly group: Group; readonly value: T }>,
): T =>
  parts
    .map(({ group: { mask }, value }) =>
      mask === undefined ? value : A.binary.mul(constant(mask, [mask.length]), value),
    )
    .reduce(A.binary.add)

/** log p(x) with the draws of the parameters that are other sites: one number for each sample and element, `[S, ...]`. */
const logDensity = <T>({ A, constant, draws }: Setting<T>, site: FactorSite, group: Group, x: T): T => {
  const entries = Object.keys(group.parameters[0] ?? {}).map((name) => {
    const over = latent(group, name)
    if (over === undefined)
      return [
        name,
        lift(
          constant,
          group.parameters.map((one) => known(one)[name]!),
        ),
      ] as const
    const drawn = draws?.of(over)
    if (drawn === undefined)
      throw new CompileError({
        message: `the divergence of the site "${site.name}" from its prior ${group.name} is estimated from draws, which the factor of the site "${over}" does not have; give that site another factor`,
      })
    return [name, drawn] as const
  })
  return group.lifted.logDensity(A)(x, Object.fromEntries(entries))
}

/**
 * KL(q || prior) = cross entropy - entropy, summed over a site. The cross entropy is in closed form where the prior has
 * one for the moments that q gives; else it is the mean of -log p over the draws of the step, unbiased and with
 * gradients through the draws. Discrete sites need no draw: log p is linear in x, and evaluated at the probabilities.
 *
 * @throws CompileError where there is neither a closed form nor a draw, naming the site
 */
export const divergence = <T>(site: FactorSite, setting: Setting<T>, q: Own<T>): T => {
  const { A, draws } = setting
  const groups = groupsOf(site)
  const parts = groups.flatMap((group) => {
    const value = closed(setting, group, q.moments)
    return value === undefined ? [] : [{ group, value }]
  })
  if (parts.length === groups.length) return A.sumAll(A.binary.sub(together(setting, parts), q.entropy))
  const discrete = site.support === "binary" || site.support === "categorical"
  const x = discrete ? q.moments.mean : draws?.of(site.name)
  if (x === undefined || draws === undefined)
    throw new CompileError({
      message: `the prior ${groups.map(({ name }) => name).join(", ")} of the site "${site.name}" has no closed divergence from the moments that its factor${others(groups)} give, and there are no draws to estimate it from; give the prior a crossEntropy, or the site another factor`,
    })
  const estimates = groups.map((group) => ({ group, value: logDensity(setting, site, group, x) }))
  // A discrete site with known parameters has no axis of samples, and no mean to take.
  const sampled =
    !discrete ||
    groups.some((group) =>
      Object.keys(group.parameters[0] ?? {}).some((name) => latent(group, name) !== undefined),
    )
  const count = A.literal(sampled ? draws.samples : 1)
  const expected = A.binary.div(A.sumAll(together(setting, estimates)), count)
  return A.unary.neg(A.binary.add(expected, A.sumAll(q.entropy)))
}

/**
 * log p(x) of relaxed draws x of a site, elementwise, [S, ...]: with the draws of the parameters that are other sites.
 * Discrete densities are taken linear in x.
 */
export const logPrior = <T>(site: FactorSite, setting: Setting<T>, x: T): T =>
  together(
    setting,
    groupsOf(site).map((group) => ({ group, value: logDensity(setting, site, group, x) })),
  )

/** The relaxed draw of a site. @throws Error where there is none: `Plan.relaxable` refuses such plans. */
export const drawOf = <T>({ name }: FactorSite, draws: Draws<T>): T => {
  const x = draws.of(name)
  if (x === undefined) throw new Error(`the site "${name}" has no relaxed draw`)
  return x
}

/** The sites on which priors depend, for a message. */
const others = (groups: ReadonlyArray<Group>): string =>
  groups
    .flatMap((group) => Object.keys(group.parameters[0] ?? {}).map((name) => latent(group, name)))
    .flatMap((site) => (site === undefined ? [] : [` and that of "${site}"`]))
    .join("")

/** Whether all priors of a site have a divergence in closed form from a q of the given moments. */
export const isClosed = (site: FactorSite): boolean =>
  groupsOf(site).every(({ lifted }) => lifted.crossEntropy !== undefined)
