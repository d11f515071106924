import type { Algebra } from "../../numeric/Algebra.ts"
import * as Nd from "../../numeric/Nd.ts"
import type { Generator } from "../../random/Rng.ts"
import type { Moments } from "../Moments.ts"
import type { Support } from "../Support.ts"
import { isSym, type Sym } from "../Sym.ts"
import { once } from "../../internal/once.ts"
import { isSimplex, reject } from "./DistError.ts"
import { integratedMoments } from "./integratedMoments.ts"
import type {
  Prior,
  Conditional,
  Derivatives,
  Dist,
  Expected,
  Known,
  Lifted,
  LiftedParameters,
  MeanVariance,
  Parameter,
} from "./Distribution.ts"

/** Returns the value of a parameter that is allowed, and throws a `DistError` for another: `Dist.finite`, `Dist.positive`, ... */
export type Check<V> = (distribution: string, parameter: string, value: V) => V

/** The supports of which a family of distributions can be defined by `make`. */
type Definable = Exclude<Support, "coefficients">

type Parameters = Readonly<Record<string, Known>>

export type LiftedTo<P, T> = { readonly [K in keyof P]: T }

/** The sites whose values may stand for a parameter. */
type SiteOf<V> = V extends number ? Sym<"real"> | Sym<"positive"> | Sym<"unit"> : Sym<"simplex">

/**
 * The definition of a family of distributions. `P` are its parameters. Optional fields are derived or not needed; each
 * says which.
 */
export interface Definition<S extends Definable, P extends Parameters> {
  /** The name in messages and in a printed plan. */
  readonly name: string
  readonly support: S
  readonly parameters: { readonly [K in keyof P]: Check<P[K]> }
  /** Throws a `DistError` for a combination of parameters that is not allowed. */
  readonly together?: ((parameters: P) => void) | undefined
  /** log p(x) over any algebra, in nats, for x inside of the support; see `Lifted`. */
  readonly logDensity: <T>(A: Algebra<T>, x: T, p: LiftedTo<P, T>) => T
  /** One draw: a number, or m weights for a simplex. */
  readonly draw: (parameters: P, source: Generator) => Known
  /**
   * E[X], at which factors start; `Infinity` or `NaN` where it does not exist. A vector for categorical and simplex, which need
   * it; by quadrature for numbers if left out.
   */
  readonly mean?: ((parameters: P) => Known) | undefined
  /** Var[X], of the form of the mean; by quadrature for numbers if left out. */
  readonly variance?: ((parameters: P) => Known) | undefined
  /** -E[log p(X)]; `Dist.entropy` needs it. */
  readonly entropy?: ((parameters: P) => number) | undefined
  /** -E_q[log p(X)] from moments. If left out, divergences are estimated from draws. See `Lifted`. */
  readonly crossEntropy?: (<T>(A: Algebra<T>, q: Moments<T>, p: Expected<T, P>) => T | undefined) | undefined
  /** KL[q || p] of two members; `Dist.kl` needs it. */
  readonly kl?: (<T>(A: Algebra<T>, q: LiftedTo<P, T>, p: LiftedTo<P, T>) => T) | undefined
  /** The derivatives of log p(x); by automatic differentiation if left out. */
  readonly derivatives?: ((x: number, parameters: P) => Omit<Derivatives, "log">) | undefined
  /** E[log X] and Var[log X]; from draws if left out. */
  readonly logMoments?: ((parameters: P) => MeanVariance) | undefined
  /** The ends of a bounded interval outside of which the density is 0. */
  readonly bounds?: ((parameters: P) => readonly [low: number, high: number]) | undefined
  /** The number of categories or weights; needed of categorical and simplex supports whose parameters may be sites. */
  readonly axis?: ((parameters: { readonly [K in keyof P]: P[K] | Sym }) => number) | undefined
  /** log p(x) in numbers, where the form over an algebra is not exact; `-Infinity` outside of the support. */
  readonly exactly?: ((x: ReadonlyArray<number>, parameters: P) => number) | undefined
  /** KL[q || p] in numbers, where the form over an algebra is not exact. */
  readonly exactKl?: ((q: P, p: P) => number) | undefined
}

/**
 * The constructor of a family's members: a distribution from known parameters, a conditional prior where a parameter is
 * another site's value.
 */
export interface Constructor<S extends Definable, P extends Parameters> {
  (parameters: P): Dist<S>
  (parameters: { readonly [K in keyof P]: P[K] | SiteOf<P[K]> }): Prior<S>
  /** The symbolic forms that all members share. */
  readonly lifted: Lifted
  /** The parameters of a distribution of this family; `undefined` for one of another, or with sites among them. */
  readonly parametersOf: (prior: Prior) => P | undefined
  /** The parameters of a prior of this family, sites among them; `undefined` for one of another. */
  readonly declaredOf: (prior: Prior) => { readonly [K in keyof P]: P[K] | SiteOf<P[K]> } | undefined
}

const asArray = (value: Known): ReadonlyArray<number> => (typeof value === "number" ? [value] : value)

const lift = (value: Known): Nd.Nd => (typeof value === "number" ? Nd.scalar(value) : Nd.vector(value))

/** A form over an algebra, run in float64 on known parameters. */
export const evaluate = <P extends Parameters>(
  form: <T>(A: Algebra<T>) => (parameters: LiftedTo<P, T>) => T,
  parameters: P,
): number => {
  const entries = Object.entries<Known>(parameters).map(([key, value]) => [key, lift(value)] as const)
  // One value for each name of `P`.
  return Nd.toNumber(form(Nd.algebra)(Object.fromEntries(entries) as unknown as LiftedTo<P, Nd.Nd>))
}

/** Whether the numbers of a draw lie in the support. */
const inside = (support: Definable, axis: number, x: ReadonlyArray<number>): boolean => {
  const [first = Number.NaN] = x
  switch (support) {
    case "binary":
      return first === 0 || first === 1
    case "categorical":
      return Number.isInteger(first) && first >= 0 && first < axis
    case "simplex":
      return isSimplex(x)
    case "real":
      return Number.isFinite(first)
    case "positive":
      return first > 0 && first < Infinity
    case "unit":
      return first > 0 && first < 1
  }
}

/** A draw as an array of the algebra: one-hot for categories. */
const lifted = (support: Definable, axis: number, x: ReadonlyArray<number>): Nd.Nd => {
  if (support === "simplex") return Nd.vector(x)
  if (support !== "categorical") return Nd.scalar(x[0] ?? Number.NaN)
  return Nd.vector(Array.from({ length: axis }, (_, k) => (k === x[0] ? 1 : 0)))
}

/**
 * A family of distributions from its definition: a function from parameters to distributions. *When to use*: for a
 * prior that does not ship; its members may be used wherever shipped ones are.
 *
 * @throws DistError from the constructor, naming the parameter that is not allowed
 */
export const make = <S extends Definable, P extends Parameters>(
  definition: Definition<S, P>,
): Constructor<S, P> => {
  const { name, support } = definition
  const { crossEntropy, kl: divergence } = definition
  // The forms take the parameters of this family, named in `parameters`; the type `Lifted`, of all families, has no
  // names.
  const own = <T>(p: LiftedParameters<T>): LiftedTo<P, T> => p as unknown as LiftedTo<P, T>
  const forms: Lifted = {
    logDensity: (A) => (x, p) => definition.logDensity(A, x, own(p)),
    ...(crossEntropy !== undefined && {
      crossEntropy:
        <T>(A: Algebra<T>) =>
        (q: Moments<T>, p: Expected<T>) =>
          // The moments are those of the parameters by name, as for `own`.
          crossEntropy(A, q, p as unknown as Expected<T, P>),
    }),
    ...(divergence !== undefined && {
      kl:
        <T>(A: Algebra<T>) =>
        (q: LiftedParameters<T>, p: LiftedParameters<T>) =>
          divergence(A, own(q), own(p)),
    }),
  }
  // Each check gets the value of the parameter of its name.
  const checks = definition.parameters as unknown as Readonly<Record<string, Check<Known>>>
  const names = Object.keys(checks)

  const axisOf = (parameters: Readonly<Record<string, Parameter>>): number =>
    // The names are those of `P`: the constructor has checked them.
    definition.axis?.(parameters as unknown as { readonly [K in keyof P]: P[K] | Sym }) ??
    (support === "categorical" || support === "simplex" ? definedAxis(parameters) : 1)

  const definedAxis = (parameters: Readonly<Record<string, Parameter>>): number =>
    Object.values(parameters).some((value) => isSym(value))
      ? reject(name, "axis", "no axis", "given where a parameter is another site's value")
      : asArray(
          // `P` from its own names.
          definition.mean?.(parameters as unknown as P) ??
            reject(name, "mean", "undefined", "defined for a vector"),
        ).length

  const checked = (parameters: Readonly<Record<string, Known>>): P => {
    const entries = names.map((key) => {
      const value = parameters[key] ?? reject(name, key, "nothing", "given")
      return [key, checks[key]!(name, key, value)] as const
    })
    // One entry for each name of `P`, of the type that its check returns.
    const found = Object.fromEntries(entries) as unknown as P
    definition.together?.(found)
    return found
  }

  const known = (given: Readonly<Record<string, Known>>): Dist<S> => {
    const p = checked(given)
    const axis = axisOf(p)
    const size = support === "simplex" ? axis : 1
    const values: Readonly<Record<string, Nd.Nd>> = Object.fromEntries(
      Object.entries<Known>(p).map(([key, value]) => [key, lift(value)]),
    )
    const density = forms.logDensity(Nd.algebra)
    const bounds = definition.bounds?.(p)
    const logDensity = (x: ReadonlyArray<number>): number => {
      if (!inside(support, axis, x)) return -Infinity
      if (bounds !== undefined && !(x[0]! >= bounds[0] && x[0]! <= bounds[1])) return -Infinity
      return definition.exactly?.(x, p) ?? Nd.toNumber(density(lifted(support, axis, x), values))
    }
    const { derivatives, entropy, kl, logMoments, mean, variance } = definition
    const integrated = once(() => {
      if (support === "binary" || support === "categorical" || support === "simplex")
        return reject(name, "mean and variance", "undefined", `defined for the support ${support}`)
      // The draw of a number is a number.
      const draw = (source: Generator): number => definition.draw(p, source) as number
      return integratedMoments(support, (x) => logDensity([x]), draw)
    })
    return {
      _tag: "Dist",
      name,
      support,
      parameters: p,
      size,
      axis,
      logDensity,
      draw: (source, out, offset) => {
        const x = definition.draw(p, source)
        if (typeof x === "number") out[offset] = x
        else out.set(x, offset)
      },
      mean: () => asArray(mean === undefined ? integrated().mean : mean(p)),
      variance: () => asArray(variance === undefined ? integrated().variance : variance(p)),
      ...(entropy !== undefined && { entropy: () => entropy(p) }),
      ...(kl !== undefined && {
        kl: (other: Dist) => {
          const q = parametersOf(other)
          if (q === undefined) return undefined
          if (other.axis !== axis) return reject(name, "the dimension of p", other.axis, `that of q, ${axis}`)
          if (definition.exactKl !== undefined) return definition.exactKl(p, q)
          const lifting = (of: P) =>
            Object.fromEntries(Object.entries<Known>(of).map(([key, value]) => [key, lift(value)]))
          return Nd.toNumber(forms.kl!(Nd.algebra)(values, lifting(q)))
        },
      }),
      ...(derivatives !== undefined && {
        derivatives: (x: number) => ({ log: logDensity([x]), ...derivatives(x, p) }),
      }),
      ...(logMoments !== undefined && { logMoments: () => logMoments(p) }),
      ...(bounds !== undefined && { bounds }),
      lifted: forms,
    }
  }

  const parametersOf = (dist: Prior): P | undefined =>
    // Distributions with the same forms are of this family, with known parameters `P`.
    dist._tag === "Dist" && dist.lifted === forms ? (dist.parameters as unknown as P) : undefined

  const construct = (given: Readonly<Record<string, Parameter>>): Prior<S> => {
    const latent = names.filter((key) => isSym(given[key]))
    // Without a site among them all parameters are known.
    if (latent.length === 0) return known(given as Readonly<Record<string, Known>>)
    for (const key of names) {
      const value = given[key] ?? reject(name, key, "nothing", "given")
      if (!isSym(value)) checks[key]!(name, key, value)
    }
    return {
      _tag: "Conditional",
      name,
      support,
      parameters: given,
      axis: axisOf(given),
      at: known,
      lifted: forms,
    } satisfies Conditional<S>
  }
  // The overloads say that known parameters make a distribution, which `construct` does.
  return Object.assign(construct as unknown as Constructor<S, P>, {
    lifted: forms,
    parametersOf,
    declaredOf: (prior: Prior) =>
      prior.lifted === forms
        ? // As in `parametersOf`; the constructor takes sites of these supports.
          (prior.parameters as unknown as { readonly [K in keyof P]: P[K] | SiteOf<P[K]> })
        : undefined,
  })
}
