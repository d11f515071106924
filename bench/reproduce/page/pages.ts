/** Pages with formulas: what every method learned in one run, and the ten best of a run. */
import { blocks } from "../../harness/markdown.ts"
import { isReduced, type Problem, problems } from "../../problems.ts"
import { noises, seeds } from "../arms.ts"
import type { PeerCase, PeerResult } from "../case.ts"
import * as Paper from "../paper.ts"
import { casesOf, peers } from "../peers.ts"
import * as Store from "../store.ts"
import { type AllArms, at, type Ran } from "./arms.ts"
import { code, decimal, math } from "./numbers.ts"
import { out } from "./out.ts"

const first = seeds[0]!

/** What x0, x1, ... of a problem stand for. */
const legend = (problem: Problem): string =>
  isReduced(problem)
    ? ` (${problem.definitions.map((definition, j) => `${problem.features[j]} = \`${definition}\``).join(", ")})`
    : ""

const heading = (problem: Problem, noise: number): string =>
  `## ${problem.name}, noise ${noise}\n\n\`${problem.formula}\`${legend(problem)}`

/** Which of our columns stands beside a method of the paper. */
const counterparts: Readonly<Record<string, string>> = {
  Operon: "pyoperon",
  BMS: "bms",
  BSR: "bsr",
  gplearn: "gplearn",
  DEAP: "deap",
}

interface Shown {
  readonly expression: string
  readonly rmse: number | null
}

const ofArm = (arm: Ran, problem: string, noise: number): Shown | undefined => {
  const run = at(arm, { problem, noise, features: "reduced" }).find(({ case: { seed } }) => seed === first)
  return run && { expression: run.result.best.expression, rmse: run.result.best.rmseTest }
}

/** The tables of expressions, theirs beside ours, and those of ours that have no counterpart. */
export const expressionsPage = async (arms: AllArms): Promise<void> => {
  const page = out("reproduction/expressions.md")
  const done = peers.flatMap((peer) => Store.results<PeerCase, PeerResult>("peers", casesOf(peer)))
  const ofPeer = (name: string, problem: string, noise: number): Shown | undefined => {
    const run = done.find(
      ({ case: one }) =>
        one.peer === name && one.problem === problem && one.noise === noise && one.seed === first,
    )
    return run && { expression: run.result.expression, rmse: run.result.rmseTest }
  }
  const cells = (shown: Shown | undefined): ReadonlyArray<string> =>
    shown === undefined
      ? ["", ""]
      : [
          shown.expression.length > 300 ? "too long to print" : code(shown.expression),
          decimal(shown.rmse ?? Number.NaN),
        ]
  const sections = problems.flatMap((problem) =>
    noises.map((noise) => {
      const printed = Paper.expressions.filter((one) => one.problem === problem.name && one.noise === noise)
      const theirs = printed.map((one) => {
        const name = counterparts[one.method]
        const ours =
          one.method === "VaSST"
            ? ofArm(arms.published, problem.name, noise)
            : name === undefined
              ? undefined
              : ofPeer(name, problem.name, noise)
        return [one.method, math(one.expression), decimal(one.rmse), ...cells(ours)]
      })
      const rest = [arms.untrained, arms.tuned, arms.collapsed, arms.law].map((arm) => [
        arm.title,
        "",
        "",
        ...cells(ofArm(arm, problem.name, noise)),
      ])
      const more = peers
        .filter(({ name }) => !Object.values(counterparts).includes(name))
        .map(({ name, title }) => [title, "", "", ...cells(ofPeer(name, problem.name, noise))])
      return blocks(
        heading(problem, noise),
        `The paper's table \`${printed[0]?.table ?? ""}\`.`,
        page.table(
          `expressions-${problem.name}-${noise}`,
          ["method", "paper", "RMSE", "here", "RMSE"],
          [...theirs, ...rest, ...more],
        ),
      )
    }),
  )
  await page.write(
    blocks(
      "# Expressions learned in one run",
      "Written by `npm run reproduce`. The expressions of the paper's tables, and ours of the first repetition; VaSST has the published settings. RMSE is out of sample, with noise. An empty cell was not run here, or is not in the paper.",
      ...sections,
    ),
  )
}

/** The tables of the ten best by LMPSE. */
export const topTenPage = async (arms: AllArms): Promise<void> => {
  const page = out("reproduction/top-ten.md")
  const sections = problems.flatMap((problem) =>
    noises.map((noise) => {
      const printed = Paper.topTen.filter((one) => one.problem === problem.name && one.noise === noise)
      const runs = [arms.published, arms.collapsed].map((arm) =>
        at(arm, { problem: problem.name, noise, features: "reduced" }).find(
          ({ case: { seed } }) => seed === first,
        ),
      )
      const ours = (index: number, rank: number): ReadonlyArray<string> => {
        const model = runs[index]?.result.top?.[rank]
        return model === undefined
          ? ["", "", "", ""]
          : [
              code(model.expression),
              model.lmpse?.toFixed(1) ?? "",
              decimal(model.rmseTest),
              model.found ? "yes" : "no",
            ]
      }
      return blocks(
        heading(problem, noise),
        `The paper's table \`${printed[0]?.table ?? ""}\`.`,
        page.table(
          `top-ten-${problem.name}-${noise}`,
          [
            "rank",
            "paper",
            "LMPSE",
            "RMSE",
            ...["published", "collapsed"].flatMap((name) => [name, "LMPSE", "RMSE", "law"]),
          ],
          printed.map((one, rank) => [
            String(one.rank),
            math(one.expression),
            one.lmpse.toFixed(1),
            decimal(one.rmse),
            ...ours(0, rank),
            ...ours(1, rank),
          ]),
        ),
      )
    }),
  )
  await page.write(
    blocks(
      "# The ten best of a run by LMPSE",
      "Written by `npm run reproduce`. The paper's tables, and ours of the first repetition: the published settings, and the search over hard trees on the same model. *law* is yes if the law is in the span of the terms. RMSE is out of sample, with noise.",
      ...sections,
    ),
  )
}
