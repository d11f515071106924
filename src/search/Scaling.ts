import { orderStatistic } from "../numeric/orderStatistic.ts"
import * as Real from "../numeric/Real.ts"
import * as LogSlopes from "./LogSlopes.ts"
import { nearest } from "./PowerProduct.ts"
import { varying } from "./SearchSpace.ts"
import * as SingleIndex from "./SingleIndex.ts"
import type { Workbench } from "./Workbench.ts"

/** What the logarithm of the response says about the form of a law. */
export interface Scaling {
  /** the nodes that powers are of: features, and differences or sums of two features that the response depends on by these alone */
  readonly bases: ReadonlyArray<number>
  /** whether some bases are differences or sums */
  readonly combined: boolean
  /** the powers of the bases that are factors of the response, 0 for others */
  readonly factor: Float64Array
  readonly single: SingleIndex.SingleIndex | undefined
}

/** A slope is a power where it is a multiple of 1/2 up to three standard errors and a little, and these are small. */
const power = { errors: 3, little: 0.02, largest: 0.15 } as const
/** A base with a bend of more standard errors than these is no factor. */
const bent = 5
/**
 * A combination of two features is taken in their place where a rough fit leaves less than this share of what it leaves with both, and
 * of what it leaves without them, and the quadratic fit leaves at most 1.3 times what it leaves with both.
 */
const combining = { share: 0.95, factor: 1.3 } as const
/** Combinations of which the quadratic fit is made. */
const looked = 3
/**
 * Features that are looked at, where there are more: those that explain most of the logarithm of y by a parabola of their own. A quadratic fit
 * takes time with the fourth power of their number, and combinations of all pairs with the third.
 */
const most = 9
/** A fit that leaves a smaller share says nothing about combinations. */
const exact = 1e-3
/** What a response that is a power of y, or its logarithm, leaves of a line, and how far its power is from a multiple of 1/2. */
const line = { share: 0.1, near: 0.1 } as const

const logOf = (column: Float64Array): Float64Array => column.map((value) => Real.log(Math.abs(value)))

/** A value says something by its logarithm from three standard deviations of its noise on; of a quarter of the rows it is looked at anyhow. */
const heard = { errors: 3, share: 0.25 } as const

/**
 * The logarithm of the magnitude of y; NaN on rows that are mostly noise, which would flatten the slopes.
 *
 * @param noise the standard deviation of the noise of each row, length n
 */
export const loud = (y: Float64Array, noise: Float64Array): Float64Array => {
  const ratios = y.map((value, i) => (value === 0 ? 0 : Math.abs(value) / noise[i]!))
  const quartile = orderStatistic(ratios, Math.floor((1 - heard.share) * (ratios.length - 1)))
  const least = Math.min(heard.errors, quartile)
  return y.map((value, i) => (ratios[i]! < least ? Number.NaN : Real.log(Math.abs(value))))
}

/** Bases and the logarithms of their columns. */
interface Variables {
  readonly bases: ReadonlyArray<number>
  readonly logs: ReadonlyArray<Float64Array>
}

/** The columns and the response on the rows on which all of them are finite. */
const finite = (logs: ReadonlyArray<Float64Array>, t: Float64Array) => {
  const rows = Array.from(t, (_, i) => i).filter(
    (i) => Number.isFinite(t[i]) && logs.every((column) => Number.isFinite(column[i])),
  )
  const some = (column: Float64Array): Float64Array => Float64Array.from(rows, (i) => column[i]!)
  return [logs.map(some), some(t)] as const
}

/**
 * The features that explain most of t by themselves, at most nine, in their order.
 *
 * @param t the logarithm of y, length n, as long as each feature's; rows on which one is not finite do not count
 */
export const foremost = <A extends { readonly log: Float64Array }>(
  features: ReadonlyArray<A>,
  t: Float64Array,
): ReadonlyArray<A> => {
  if (features.length <= most) return features
  const shares = features.map((feature) => {
    const [[l], own] = finite([feature.log], t)
    return { feature, left: LogSlopes.parabola(l!, own) }
  })
  const chosen = new Set(
    shares
      .toSorted((a, b) => a.left - b.left)
      .slice(0, most)
      .map(({ feature }) => feature),
  )
  return features.filter((feature) => chosen.has(feature))
}

const fitted = (variables: Variables, all: Float64Array) => {
  const [l, t] = finite(variables.logs, all)
  const fit = LogSlopes.of(l, t)
  return fit === undefined ? undefined : { ...variables, l, t, fit }
}
type Fitted = NonNullable<ReturnType<typeof fitted>>

/**
 * The fit with a difference or a sum in the place of two features, if the response depends on these by it alone. Yields after each feature and
 * each quadratic fit.
 */
const combined = function* (
  { space, apply }: Pick<Workbench, "space" | "apply">,
  here: Fitted,
  all: Float64Array,
): Generator<void, Fitted | undefined> {
  const { bases, logs, fit } = here
  const rough = (columns: ReadonlyArray<Float64Array>): number =>
    LogSlopes.unexplained(...finite(columns, all))
  const before = rough(logs)
  const tried = []
  for (const [j, a] of bases.entries()) {
    for (const [k, b] of bases.slice(0, j).entries()) {
      if (a >= space.terminals || b >= space.terminals) continue
      const others = (_: unknown, place: number): boolean => place !== j && place !== k
      const least = combining.share * Math.min(before, rough(logs.filter(others)))
      for (const operator of ["sub", "add"]) {
        const id = apply(operator, b, a)
        if (id < 0) continue
        const next = {
          bases: [...bases.filter(others), id],
          logs: [...logs.filter(others), logOf(space.kernel.column(id))],
        }
        const left = rough(next.logs)
        if (left < least) tried.push({ next, left })
      }
    }
    yield
  }
  const fits = []
  for (const { next } of tried.sort((a, b) => a.left - b.left).slice(0, looked)) {
    const made = fitted(next, all)
    if (made !== undefined) fits.push(made)
    yield
  }
  const [best] = fits.sort((a, b) => a.fit.unexplained - b.fit.unexplained)
  return best !== undefined && best.fit.unexplained < combining.factor * fit.unexplained ? best : undefined
}

/** A function of one base times powers of all others; undefined where not all others are factors. */
const oneBase = (factor: Float64Array): SingleIndex.SingleIndex | undefined => {
  const index = factor.map((power) => (power === 0 ? 1 : 0))
  return index.filter((power) => power === 1).length === 1 ? { factor, index } : undefined
}

const scalingOf = ({ bases, l, t, fit }: Fitted, isCombined: boolean): Scaling => {
  const powers = fit.slopes.map((slope, j) => {
    const error = fit.errors[j]!
    const off = Math.abs(slope - nearest(slope))
    return error < power.largest && off < power.errors * error + power.little ? nearest(slope) : 0
  })
  const apart = powers.map((own, j) =>
    fit.bends[j]!.every((bend, k) => Math.abs(bend) < bent * fit.bendError(j, k)) ? own : 0,
  )
  const factor = apart.some((own) => own !== 0) ? apart : powers
  return {
    bases,
    combined: isCombined,
    factor,
    single: SingleIndex.of(l, t, fit) ?? oneBase(factor),
  }
}

/** A feature, and its logarithm, length n. */
interface Feature {
  readonly id: number
  readonly log: Float64Array
}

const featuresOf = ({ space }: Pick<Workbench, "space">): ReadonlyArray<Feature> =>
  varying(space)
    .map((id) => ({ id, log: logOf(space.kernel.column(id)) }))
    .filter(({ log }) => new Set(log.filter(Number.isFinite)).size > 1)

/** What some logarithms of y say of the form of a law: by its features, and by differences and sums of them where there are such. */
const shownBy = function* (
  bench: Pick<Workbench, "space" | "apply">,
  features: ReadonlyArray<Feature>,
  t: Float64Array,
): Generator<void, ReadonlyArray<Scaling>> {
  const chosen = foremost(features, t)
  yield
  // Of one feature every law is a function of one variable as it is.
  if (chosen.length < 2) return []
  const begun = fitted({ bases: chosen.map(({ id }) => id), logs: chosen.map(({ log }) => log) }, t)
  if (begun === undefined) return []
  let here: Fitted = begun
  const plain = scalingOf(here, false)
  yield
  const count = here.bases.length
  while (here.fit.unexplained > exact) {
    const next: Fitted | undefined = yield* combined(bench, here, t)
    if (next === undefined) break
    here = next
  }
  return here.bases.length < count ? [plain, scalingOf(here, true)] : [plain]
}

/**
 * The products of powers of features that y shows: on all rows, and on the quarter of the largest magnitude, which noise moves least. A look of some
 * milliseconds.
 */
export const products = (
  bench: Pick<Workbench, "space">,
): ReadonlyArray<Pick<Scaling, "bases" | "factor">> => {
  const { y } = bench.space
  const features = featuresOf(bench)
  const all = logOf(y)
  const quartile = orderStatistic(all, Math.floor((1 - heard.share) * (all.length - 1)))
  const found = [all, all.map((value) => (value < quartile ? Number.NaN : value))].flatMap((t) => {
    const chosen = foremost(features, t)
    if (chosen.length < 2) return []
    const here = fitted({ bases: chosen.map(({ id }) => id), logs: chosen.map(({ log }) => log) }, t)
    const scaling = here && scalingOf(here, false)
    return scaling?.factor.some((own) => own !== 0) ? [scaling] : []
  })
  const keys = found.map(({ bases, factor }) => [bases, factor].map((part) => part.join()).join("; "))
  return found.filter((_, i) => keys.indexOf(keys[i]!) === i)
}

/** Equal for equal forms. */
export const keyOf = ({ bases, factor, single }: Scaling): string =>
  [bases, factor, single?.index, single?.factor].map((part) => part?.join()).join("; ")

/**
 * What the best law so far says of the form of the law: its values are a smooth surrogate of y, and have no noise. Yields after parts of some
 * milliseconds.
 */
export const ofLaw = function* (
  bench: Pick<Workbench, "space" | "apply" | "law">,
): Generator<void, ReadonlyArray<Scaling>> {
  const law = bench.law()
  return law === undefined ? [] : yield* shownBy(bench, featuresOf(bench), logOf(law))
}

/**
 * What y says of the form of a law: on all rows, and on those that are not mostly noise, where these say something else. Yields after parts of some
 * milliseconds.
 */
export const of = function* (
  bench: Pick<Workbench, "space" | "apply" | "noise">,
): Generator<void, ReadonlyArray<Scaling>> {
  const { y } = bench.space
  const features = featuresOf(bench)
  const all = logOf(y)
  const plain = yield* shownBy(bench, features, all)
  const above = loud(y, bench.noise())
  // Without noise every row is heard.
  if (above.every((value, i) => value === all[i] || y[i] === 0)) return plain
  const known = new Set(plain.map(keyOf))
  const shown = yield* shownBy(bench, features, above)
  return [...plain, ...shown.filter((form) => !known.has(keyOf(form)))]
}

/** The power of y that a response is, 0 for its logarithm; undefined for any other function of y. */
export const powerOf = ({ space }: Workbench, response: number): number | undefined => {
  const { centre, scale, id, weight } = space.responses[response]!
  const w = space.kernel.column(weight)
  const z = space.kernel.column(id).map((value, i) => (w[i]! > 0 ? centre + scale * value : Number.NaN))
  const [[logZ], t] = finite([logOf(z)], logOf(space.y))
  const [[plain], u] = finite([z], logOf(space.y))
  const [asPower, asLogarithm] = [LogSlopes.line(t, logZ!), LogSlopes.line(u, plain!)]
  if (asLogarithm.unexplained < asPower.unexplained)
    return asLogarithm.unexplained < line.share ? 0 : undefined
  const near = nearest(asPower.slope)
  const isPower = asPower.unexplained < line.share && Math.abs(near - asPower.slope) < line.near
  return isPower && near !== 0 ? near : undefined
}
