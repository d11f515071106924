import type { Groups } from "../../data/Groups.ts"
import * as Exact from "../../evidence/exact/Exact.ts"
import * as Law from "../../evidence/Law.ts"
import * as Term from "../../expr/Term.ts"
import { once } from "../../internal/once.ts"
import type { FittedLaw } from "../../evidence/fitted/FittedLaw.ts"
import * as JointFit from "../../evidence/groups/JointFit.ts"
import * as Roles from "../../evidence/groups/Role.ts"
import { additive } from "../../evidence/Noise.ts"
import type { Grammar } from "../../prob/Grammar.ts"
import * as Tree from "../../prob/Tree.ts"
import type { FittedNumber } from "../FittedNumbers.ts"
import type { Model } from "../Model.ts"
import type { Scored } from "./GroupScorer.ts"
import * as Real from "../../numeric/Real.ts"

/** A number of a law that varies between groups. */
export interface GroupNumber {
  /** its name in the expression */
  readonly name: string
  /** the mean of the groups' numbers, and its standard error */
  readonly mean: number
  readonly meanError: number
  /** the standard deviation between groups */
  readonly spread: number
  /** by group, in the order of the labels */
  readonly values: ReadonlyArray<number>
  readonly errors: ReadonlyArray<number>
}

/** A ranked law over groups. Its expression has a variable for every number that varies. */
export interface GroupModel extends Pick<
  Model,
  | "link"
  | "terms"
  | "lmpse"
  | "logEvidence"
  | "logPrior"
  | "posterior"
  | "probability"
  | "complexity"
  | "rmseTrain"
  | "rmseTest"
  | "rmseLoo"
> {
  /** the law solved for y, over the features and the names of `numbers` */
  readonly expression: Term.Term
  /** coefficients, intercept first, on the scale of the link: of all groups, or the mean of the groups' */
  readonly coefficients: Float64Array
  /** the fitted numbers that all groups share, in the order of the law's numbers */
  readonly numbers: ReadonlyArray<FittedNumber>
  /** the numbers that vary, in the order of their places in the expression */
  readonly varying: ReadonlyArray<GroupNumber>
  /** the standard deviation of each group's noise, in the order of the labels */
  readonly noiseByGroup: ReadonlyArray<number>
  /** y less the law with the numbers of each row's group, in the order of the table's rows */
  readonly residuals: () => Float64Array
  /**
   * The law with the posterior of its numbers in a group, by its place among the labels; in a group that was not there, whose numbers
   * are the means with the spread between groups, if left out.
   */
  readonly law: (group?: number) => FittedLaw
}

/** Values that stand in trees for numbers that vary until they are written by name: no number of a law is one of these. */
const marker = (j: number): number => 0.123456789012345 + j * 1.7320508e-11

/** A shared number without the digits below a thousandth of its standard error. */
const tidied = (value: number, error: number): number => {
  const digits = Math.ceil(Real.log10(Math.abs(value) / error)) + 4
  return Number.isFinite(digits) ? Number(value.toPrecision(Math.min(17, Math.max(1, digits)))) : value
}

const unused = (name: string, taken: ReadonlyArray<string>): string =>
  taken.includes(name) ? unused(`${name}'`, taken) : name

/** Describes a scored law; its probability is that of the ranking. */
export const describe = (
  { form, law, trees, response, sharing, noise, lmpse, logPrior }: Scored,
  grammar: Grammar,
  { data, places }: Groups,
  posterior: number,
): GroupModel => {
  const { roles, joint, sigma, spreads } = sharing
  const covariance = once(joint.covariance)
  const errors = once(() => ({
    means: JointFit.errors(covariance().means).map((error) => sigma * error),
    groups: covariance().groups.map((own) => JointFit.errors(own).map((error) => sigma * error)),
  }))
  const K = form.trees.length
  const free = roles.flatMap(({ _tag }, j) => (_tag === "Exact" ? [] : [j]))
  const value = (j: number): number => tidied(joint.means[j]!, Math.max(errors().means[j]!, Number.MIN_VALUE))
  const internal = (j: number): string => `\u0000${j}`
  /** The terms and the law solved for y, with internal names in place of some numbers. */
  const written = (named: ReadonlyArray<number>) => {
    const at = (j: number): number => (named.includes(j) ? marker(j) : value(j))
    const put = Term.fold<Term.Term>((layer) => {
      const j = layer._tag === "Constant" ? named.find((one) => marker(one) === layer.value) : undefined
      return j === undefined ? layer : Term.variable(internal(j))
    })
    const inside = Float64Array.from({ length: law.count - K - 1 }, (_, c) => at(K + 1 + c))
    const terms = trees[0]!.trees(inside).map((tree) => put(Tree.toNamedTerm(grammar, tree)))
    const part = [undefined, ...terms].map((term, j) => {
      const role = roles[j]!
      const factor = role._tag === "Exact" ? Exact.term(role.exact) : put(Term.constant(at(j)))
      if (term === undefined) return factor
      return role._tag === "Exact" ? Exact.times(role.exact, term) : Term.mul(factor, term)
    })
    const sum = part.reduce((left, right) => Term.add(left, right))
    return { terms, solved: Term.simplify(Law.solve(response, sum)) }
  }
  const vary = Roles.varying(roles)
  const { terms, solved } = written(vary)
  const arranged = Law.arranger([data])
  const expression = arranged(solved)
  const read = Term.variables(expression)
  const varying = vary.toSorted((a, b) => order(read, internal(a)) - order(read, internal(b)))
  const shared = free.filter((j) => !vary.includes(j))
  const names = new Map([
    ...varying.map((j, k) => [internal(j), unused(`k${k + 1}`, data.features)] as const),
    ...shared.map((j, k) => [internal(j), unused(`c${k + 1}`, data.features)] as const),
  ])
  const renamed = (term: Term.Term): Term.Term =>
    Term.substitute(term, (name) => Term.variable(names.get(name) ?? name))
  const inRows = (of: (group: number) => ArrayLike<number>): Float64Array => {
    const out = new Float64Array(data.rows)
    places.forEach((rows, group) => {
      const values = of(group)
      rows.forEach((row, i) => {
        out[row] = values[i]!
      })
    })
    return out
  }
  const residuals = (): Float64Array =>
    inRows((group) => joint.points[group]!.residual.map((one) => one * noise[group]!))
  const rms = (values: ArrayLike<number>): number =>
    Math.sqrt(Array.from(values).reduce((sum, one) => sum + one * one, 0) / values.length)
  /** Residuals of each row from a fit to all others, the spreads as they are: r / (1 - h), with h = x'Cx the row's leverage. */
  const leftOut = (): Float64Array =>
    inRows((group) => {
      const { residual, columns } = joint.points[group]!
      const own = covariance().groups[group]!
      const x = columns()
      return residual.map((one, i) => {
        const leverage = x.reduce(
          (sum, a, j) => x.reduce((inner, b, k) => inner + a[i]! * own[j * law.count + k]! * b[i]!, sum),
          0,
        )
        return (noise[group]! * one) / (1 - leverage)
      })
    })
  const numbered = once(() => renamed(written(free).solved))
  const named = [...varying, ...shared]
  return {
    link: response.link,
    expression: renamed(expression),
    terms: terms.map((term) => arranged(renamed(term))),
    coefficients: joint.means.slice(0, K + 1),
    varying: varying.map((j) => ({
      name: names.get(internal(j))!,
      mean: joint.means[j]!,
      meanError: errors().means[j]!,
      spread: spreads[j]!,
      values: joint.points.map(({ numbers }) => numbers[j]!),
      errors: errors().groups.map((own) => own[j]!),
    })),
    numbers: shared.map((j) => {
      const error = errors().means[j]!
      return { value: Math.abs(value(j)), error, effect: 1 / (error * Math.sqrt(data.rows)) }
    }),
    lmpse,
    logEvidence: sharing.logEvidence,
    logPrior: logPrior + sharing.logPrior,
    posterior,
    complexity:
      response.link.complexity + form.trees.reduce((sum, tree) => sum + Tree.complexity(grammar, tree), 0),
    rmseTrain: rms(residuals()),
    rmseTest: undefined,
    rmseLoo: rms(leftOut()),
    noiseByGroup: Array.from(noise, (one) => one * sigma),
    residuals,
    law: (group) => {
      const all = group === undefined ? covariance().means : covariance().groups[group]!
      const values = group === undefined ? joint.means : joint.points[group]!.numbers
      const between = (j: number, k: number): number =>
        group === undefined && j === k ? spreads[j]! ** 2 : 0
      return {
        formula: numbered(),
        names: named.map((j) => names.get(internal(j))!),
        values: Float64Array.from(named, (j) => values[j]!),
        covariance: Float64Array.from(
          named.flatMap((j) => named.map((k) => sigma ** 2 * all[j * law.count + k]! + between(j, k))),
        ),
        noise: additive,
        sigma: sigma * (group === undefined ? rms(noise) : noise[group]!),
        freedom: Math.max(1, data.rows - free.length),
      }
    },
  }
}

/** The place of a name in a list, behind all others if it is not there. */
const order = (names: ReadonlyArray<string>, name: string): number =>
  names.includes(name) ? names.indexOf(name) : names.length
