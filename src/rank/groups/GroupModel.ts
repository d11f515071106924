import type { Groups } from "../../data/Groups.ts"
import * as Exact from "../../evidence/exact/Exact.ts"
import * as Law from "../../evidence/Law.ts"
import * as Term from "../../expr/Term.ts"
import type { Grammar } from "../../prob/Grammar.ts"
import type { Link } from "../../prob/Link.ts"
import * as Tree from "../../prob/Tree.ts"
import type { FittedNumber } from "../FittedNumbers.ts"
import type { Scored } from "./GroupScorer.ts"

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
export interface GroupModel {
  readonly link: Link
  /** the law solved for y, over the features and the names of `numbers` */
  readonly expression: Term.Term
  readonly terms: ReadonlyArray<Term.Term>
  /** coefficients, intercept first, on the scale of the link: of all groups, or the mean of the groups' */
  readonly coefficients: Float64Array
  /** the numbers that vary, in the order of their places in the expression */
  readonly numbers: ReadonlyArray<GroupNumber>
  /** the fitted numbers that all groups share */
  readonly shared: ReadonlyArray<FittedNumber>
  readonly lmpse: number
  readonly logEvidence: number
  /** of the form and of the roles of its numbers */
  readonly logPrior: number
  readonly posterior: number
  readonly complexity: number
  /** root mean square error on all rows, each with the numbers of its group */
  readonly rmseTrain: number
  readonly rmseTest: undefined
  /** not computed for laws over groups */
  readonly rmseLoo: number
  /** the standard deviation of each group's noise, in the order of the labels */
  readonly noiseByGroup: ReadonlyArray<number>
}

/** Values that stand in trees for numbers that vary until they are written by name: no number of a law is one of these. */
const marker = (j: number): number => 0.123456789012345 + j * 1.7320508e-11

/** A shared number without the digits below a thousandth of its standard error. */
const tidied = (value: number, error: number): number => {
  const digits = Math.ceil(Math.log10(Math.abs(value) / error)) + 4
  return Number.isFinite(digits) ? Number(value.toPrecision(Math.min(17, Math.max(1, digits)))) : value
}

const unused = (name: string, taken: ReadonlyArray<string>): string =>
  taken.includes(name) ? unused(`${name}'`, taken) : name

/** Describes a scored law; its probability is that of the ranking. */
export const describe = (
  { form, law, trees, response, sharing, noise, lmpse, logPrior }: Scored,
  grammar: Grammar,
  groups: Groups,
  posterior: number,
): GroupModel => {
  const { roles, joint, sigma, spreads } = sharing
  const { data } = groups
  const errors = joint.errors()
  const K = form.trees.length
  const value = (j: number): number =>
    tidied(joint.means[j]!, Math.max(sigma * errors.means[j]!, Number.MIN_VALUE))
  const provisional = roles.map((role, j): Term.Term => {
    if (role._tag === "Exact") return Exact.term(role.exact)
    return role._tag === "Shared" ? Term.constant(value(j)) : Term.constant(marker(j))
  })
  const inside = Float64Array.from({ length: law.count - law.coefficients }, (_, c) => {
    const j = law.coefficients + c
    return roles[j]!._tag === "Varies" ? marker(j) : value(j)
  })
  const placeOf = (at: number): number =>
    roles.findIndex((role, j) => role._tag === "Varies" && marker(j) === at)
  const internal = (j: number): string => `\u0000${j}`
  const named = Term.fold<Term.Term>((layer) => {
    if (layer._tag !== "Constant") return layer
    const j = placeOf(layer.value)
    return j < 0 ? layer : Term.variable(internal(j))
  })
  const written = trees[0]!.trees(inside).map((tree) => Tree.toNamedTerm(grammar, tree))
  const part = written.reduce<Term.Term>((sum, term, k) => {
    const role = roles[k + 1]!
    const factor = provisional[k + 1]!
    return Term.add(sum, role._tag === "Exact" ? Exact.times(role.exact, term) : Term.mul(factor, term))
  }, provisional[0]!)
  const arranged = Law.arranger([data])
  const solved = arranged(Term.simplify(Law.solve(response, named(part))))
  const order = [...new Set(Term.variables(solved))].filter((name) => name.startsWith("\u0000"))
  const varying = [
    ...order,
    ...roles.flatMap((role, j) =>
      role._tag === "Varies" && !order.includes(internal(j)) ? [internal(j)] : [],
    ),
  ].map((name) => Number(name.slice(1)))
  const names = new Map(varying.map((j, k) => [internal(j), unused(`k${k + 1}`, data.features)]))
  const renamed = (term: Term.Term): Term.Term =>
    Term.substitute(term, (name) => Term.variable(names.get(name) ?? name))
  const rss = joint.points.reduce((sum, point, group) => sum + point.rss * noise[group]! ** 2, 0)
  return {
    link: response.link,
    expression: renamed(solved),
    terms: written.map((term) => arranged(renamed(named(term)))),
    coefficients: joint.means.slice(0, K + 1),
    numbers: varying.map((j) => ({
      name: names.get(internal(j))!,
      mean: joint.means[j]!,
      meanError: sigma * errors.means[j]!,
      spread: spreads[j]!,
      values: joint.points.map(({ numbers }) => numbers[j]!),
      errors: errors.groups.map((own) => sigma * own[j]!),
    })),
    shared: roles.flatMap(({ _tag }, j): ReadonlyArray<FittedNumber> => {
      if (_tag !== "Shared") return []
      const error = sigma * errors.means[j]!
      return [{ value: Math.abs(value(j)), error, effect: 1 / (error * Math.sqrt(data.rows)) }]
    }),
    lmpse,
    logEvidence: sharing.logEvidence,
    logPrior: logPrior + sharing.logPrior,
    posterior,
    complexity:
      response.link.complexity + form.trees.reduce((sum, tree) => sum + Tree.complexity(grammar, tree), 0),
    rmseTrain: Math.sqrt(rss / data.rows),
    rmseTest: undefined,
    rmseLoo: Number.NaN,
    noiseByGroup: Array.from(noise, (one) => one * sigma),
  }
}
