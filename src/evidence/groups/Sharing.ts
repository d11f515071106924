import type * as Constants from "../exact/Constants.ts"
import * as Exact from "../exact/Exact.ts"
import type * as GPrior from "../gPrior.ts"
import * as Collinearity from "./collinearity.ts"
import * as GroupedLaw from "./GroupedLaw.ts"
import * as Hierarchy from "./Hierarchy.ts"
import * as JointFit from "./JointFit.ts"
import * as Means from "./Means.ts"
import * as Roles from "./Role.ts"
import * as Real from "../../numeric/Real.ts"

/** The most probable roles of a law's numbers, and the law fitted with them. */
export interface Sharing {
  readonly roles: ReadonlyArray<Roles.Role>
  /** log p(y | law, roles), numbers and spreads integrated out; exact numbers at the prior density of `Constants` */
  readonly logEvidence: number
  /** log p(roles) */
  readonly logPrior: number
  readonly joint: JointFit.Joint
  /** sigma: the standard deviation of the noise */
  readonly sigma: number
  /** tau_j, the standard deviation of each number between groups; 0 of those that do not vary */
  readonly spreads: Float64Array
}

/** The prior probability that a number which is not exact varies between groups. */
const variesProbability = 0.5
/** Candidates among exact numbers for each coefficient. */
const candidates = 2
/** log of the width of a spread's posterior in log g, as it usually is. */
const usual = 1
/** Changes at most, each of one number or several. */
const rounds = 6
/** Changes of one number that are tried where several at once do not hold. */
const proposals = 3
/** Fits at most until spreads settle, and the change of log g below which they have. */
const passes = 5
const settled = 1

/** A derivative whose share outside of the span of others is below this is in the span. */
export const rounding = 1e-8

export interface Problem {
  readonly law: GroupedLaw.GroupedLaw
  /** the response of each group's rows */
  readonly y: ReadonlyArray<Float64Array>
  /** one over the deviation of each group's noise, in units of sigma; `law` has them as well */
  readonly weights: Float64Array
  /** the response on all rows */
  readonly target: GPrior.Target
  readonly constants: Constants.OfLaw
  readonly table: Constants.Table
}

/** log p(role) of a number. */
const logPriorOf = (
  { law, constants: { exact, zero } }: Pick<Problem, "law" | "constants">,
  role: Roles.Role,
  j: number,
): number => {
  const free =
    role._tag === "Exact" ? 0 : Real.log(role._tag === "Varies" ? variesProbability : 1 - variesProbability)
  if (j >= law.coefficients) return free
  if (j === 0 && role._tag === "Exact" && role.exact.sign === 0) return Real.log(zero)
  const there = j === 0 ? Real.log1p(-zero) : 0
  return there + (role._tag === "Exact" ? Real.log(exact) : Real.log1p(-exact)) + free
}

interface Scored {
  readonly roles: ReadonlyArray<Roles.Role>
  readonly logEvidence: number
  readonly logPrior: number
  readonly mode: Hierarchy.Mode
  readonly means: Means.Means
}

/** The numbers that vary, at the mode of their spreads. */
interface Known {
  readonly mode: Hierarchy.Mode
  readonly whitened: Hierarchy.Whitened
  readonly open: Means.Means | undefined
}

/**
 * Scores roles of one linearised law. Roles are refused if the rows do not determine a shared number when the groups' numbers are
 * free: if its standard deviation by the rows alone, sigma / (|J_j| s) with s the share of J_j outside of the span of all other
 * derivatives, is above the standard deviation sqrt(tss) / |J_j| that the prior of coefficients has where the law explains y. The
 * prior of the groups' numbers would determine it alone, and with them the linearised law would shrink their spread.
 *
 * @param masses log mass of the exact numbers that were proposed, by key
 */
const scorer = (problem: Problem, linear: Hierarchy.Linearised, masses: Map<string, number>) => {
  const { constants, table, target, law } = problem
  const free = Array.from({ length: law.count }, () => undefined)
  const known = new Map<string, Known>()
  const spreadsOf = (varying: ReadonlyArray<number>, near?: Scored): Known => {
    const key = varying.join()
    const before = known.get(key)
    if (before !== undefined) return before
    const places = near === undefined ? [] : Roles.varying(near.roles)
    const start = varying.map((j) => {
      const place = places.indexOf(j)
      return place < 0 ? Real.log(target.rows) : near!.mode.logG[place]!
    })
    const mode = Hierarchy.mode(linear, varying, start)
    const whitened = Hierarchy.whiten(linear, varying, mode.logG)
    const made = { mode, whitened, open: Means.fit(linear, whitened, free) }
    known.set(key, made)
    return made
  }
  const width = Real.log(Real.log(constants.range))
  // An intercept of any size is at least as probable as under its flat prior.
  const flat = Real.log(linear.squares[0]! / (target.tss + target.rounding)) / 2
  const logDensity = (value: number, j: number): number =>
    j === 0 && value === 0
      ? flat
      : Math.max(j === 0 ? flat : -Infinity, -Real.log(2 * Math.abs(value)) - width)
  const score = (roles: ReadonlyArray<Roles.Role>, near?: Scored): Scored | undefined => {
    const varying = Roles.varying(roles)
    const { mode, whitened, open } = spreadsOf(varying, near)
    if (!(mode.height > -Infinity)) return undefined
    const values = roles.map(Roles.valueOf)
    const means = Means.fit(linear, whitened, values)
    if (means === undefined || open === undefined) return undefined
    const least = Math.max(rounding, sigmaOf(target, means, roles) / Math.sqrt(target.tss))
    if (Collinearity.ofShared(linear, roles).some((share) => !(share > least))) return undefined
    const density = values.reduce<number>(
      (sum, value, j) => (value === undefined ? sum : sum + logDensity(value, j)),
      0,
    )
    const logPrior = roles.reduce(
      (sum, role, j) =>
        sum +
        logPriorOf(problem, role, j) +
        (role._tag === "Exact" && role.exact.sign !== 0 ? masses.get(Exact.key(role.exact))! : 0),
      0,
    )
    return {
      roles,
      logEvidence: mode.height + usual * varying.length + means.logIntegral - open.logIntegral - density,
      logPrior,
      mode,
      means,
    }
  }
  /** The log evidence with the integral over the spreads, in place of its usual value. */
  const exactly = ({ roles, mode, logEvidence }: Scored): number => {
    const varying = Roles.varying(roles)
    return logEvidence - mode.height - usual * varying.length + Hierarchy.integrated(linear, varying, mode)
  }
  /** Roles that differ in one number. */
  const neighbours = (from: Scored): ReadonlyArray<ReadonlyArray<Roles.Role>> =>
    from.roles.flatMap((role, j) => {
      const others: Array<Roles.Role> = []
      if (role._tag !== "Varies") others.push(Roles.varies)
      if (role._tag !== "Shared") others.push(Roles.shared)
      if (role._tag !== "Exact" && j === 0) others.push(Roles.exactly(Exact.zero))
      if (role._tag !== "Exact" && j < law.coefficients) {
        const own = score(from.roles.with(j, Roles.shared), from)
        if (own !== undefined) {
          const sigma = sigmaOf(target, own.means, own.roles)
          const value = own.means.estimate[j]!
          const deviation = Math.max(sigma * own.means.errors[j]!, 1e-12 * Math.abs(value), Number.MIN_VALUE)
          for (const one of table.near(value, deviation, candidates)) {
            masses.set(Exact.key(one.exact), one.logMass)
            others.push(Roles.exactly(one.exact))
          }
        }
      }
      return others.map((other) => from.roles.with(j, other))
    })
  return { score, exactly, neighbours, squares: linear.squares }
}

const sigmaOf = (
  { rows, rounding }: GPrior.Target,
  { rss }: Pick<Means.Means, "rss">,
  roles: ReadonlyArray<Roles.Role>,
): number => {
  const free = roles.filter(({ _tag }) => _tag !== "Exact").length
  return Math.sqrt((rss + rounding) / Math.max(1, rows - free))
}

const exacts = ({ roles }: Scored): number =>
  roles.filter((role) => role._tag === "Exact" && role.exact.sign !== 0).length

/** The rank of roles in the ascent: exact numbers need odds (`Constants.odds`). */
const rankOf = ({ constants }: Problem, scored: Scored): number =>
  scored.logEvidence + scored.logPrior - Real.log(constants.odds) * exacts(scored)

/** A law at a point, and the scores of roles around it. */
interface Here {
  readonly points: ReadonlyArray<GroupedLaw.Point>
  readonly scoring: ReturnType<typeof scorer>
  readonly scored: Scored
}

/**
 * Chooses the roles of a law's numbers by ascent, from all numbers varying. Changes are proposed by the linearised law at the
 * present numbers, and taken if the law fitted anew, and linearised there, has the higher score: far from the present numbers
 * the proposals may be wrong.
 *
 * @param start each group's numbers by themselves
 * @returns undefined where the rows do not determine the numbers
 */
export const choose = (problem: Problem, start: ReadonlyArray<GroupedLaw.Point>): Sharing | undefined => {
  const { law, y, target, weights: noise, constants } = problem
  const masses = new Map<string, number>()
  const scorerAt = (points: ReadonlyArray<GroupedLaw.Point>): ReturnType<typeof scorer> =>
    scorer(
      problem,
      Hierarchy.linearised(
        target,
        points.map((point, group) => GroupedLaw.part(point, y[group]!, noise[group]!)),
      ),
      masses,
    )
  const rankAt = (scored: Scored): number => rankOf(problem, scored)
  const weightsOf = ({ scoring, scored }: Here): Float64Array => {
    const weights = new Float64Array(law.count)
    Roles.varying(scored.roles).forEach((j, k) => {
      weights[j] = scoring.squares[j]! * Real.exp(-scored.mode.logG[k]!)
    })
    return weights
  }
  const fitted = (from: Here, scored: Scored): JointFit.Joint | undefined =>
    JointFit.fit(
      law,
      scored.roles,
      weightsOf({ ...from, scored }),
      from.points.map(({ numbers }) => numbers),
    )
  /**
   * The law with other roles, fitted and scored where it is; undefined where the spreads by which it is fitted do not come to be
   * those that its linearisation has.
   */
  const moved = (from: Here, scored: Scored): Here | undefined => {
    let here: Here = { ...from, scored }
    for (let pass = 0; pass < passes; pass++) {
      const joint = fitted(here, here.scored)
      if (joint === undefined) return undefined
      const scoring = scorerAt(joint.points)
      const there = scoring.score(scored.roles, here.scored)
      if (there === undefined) return undefined
      const before = here.scored.mode.logG
      here = { points: joint.points, scoring, scored: there }
      // Spreads that leave the groups' numbers equal are equal for all purposes.
      const same = there.mode.logG.every(
        (t, k) => Math.abs(Math.max(0, t) - Math.max(0, before[k]!)) <= settled,
      )
      if (same) return here
    }
    return undefined
  }
  const first = scorerAt(start)
  const all = first.score(Roles.allVarying(law.count))
  if (all === undefined) return undefined
  const begun: Here = { points: start, scoring: first, scored: all }
  // Numbers that a group does not determine by itself are drawn towards those of the others first.
  let here: Here = moved(begun, all) ?? begun
  for (let round = 0; round < rounds; round++) {
    const { scoring, scored } = here
    const around = (from: Scored): ReadonlyArray<Scored> =>
      scoring.neighbours(from).flatMap((roles) => scoring.score(roles, from) ?? [])
    const better = (from: Scored): ReadonlyArray<Scored> => {
      const near = around(from)
      // Numbers that the rows tell apart badly are exact together, where each alone is not.
      const pairs = near
        .filter((one) => exacts(one) > exacts(from) && rankAt(one) > rankAt(from) - Real.log(constants.odds))
        .flatMap((one) => around(one).filter((two) => exacts(two) > exacts(one)))
      return [...near, ...pairs]
        .filter((one) => rankAt(one) > rankAt(from) + 1e-6)
        .sort((a, b) => rankAt(b) - rankAt(a))
    }
    const single = better(scored)
    let furthest = single[0]
    for (let next = furthest; next !== undefined; [next] = better(next)) furthest = next
    if (furthest === undefined) break
    let taken: Here | undefined
    for (const one of [furthest, ...single.slice(0, proposals)]) {
      const there = moved(here, one)
      if (there !== undefined && rankAt(there.scored) > rankAt(scored) + 1e-3) {
        taken = there
        break
      }
    }
    if (taken === undefined) break
    here = taken
  }
  const joint = fitted(here, here.scored)
  if (joint === undefined) return undefined
  const { roles, means, logPrior } = here.scored
  // From numbers far from a mode of all groups the law is not the linearised one that was scored.
  if (!JointFit.isMode(joint.loss, means.rss, target)) return undefined
  const sigma = sigmaOf(target, means, roles)
  const weights = weightsOf(here)
  const spreads = new Float64Array(law.count)
  for (const j of Roles.varying(roles)) spreads[j] = sigma / Math.sqrt(weights[j]!)
  return { roles, logEvidence: here.scoring.exactly(here.scored), logPrior, joint, sigma, spreads }
}
