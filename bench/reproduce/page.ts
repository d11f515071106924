/** Writes docs/reproduction.md and its pictures and tables, from the lines of the results alone. */
import { blocks } from "../harness/markdown.ts"
import { isReduced, problems } from "../problems.ts"
import { keyOf } from "./case.ts"
import { experiments } from "./experiments.ts"
import { load } from "./page/arms.ts"
import { comparison } from "./page/comparison.ts"
import { choices, differences, search } from "./page/choices.ts"
import { others } from "./page/others.ts"
import { out } from "./page/out.ts"
import { expressionsPage, topTenPage } from "./page/pages.ts"
import { ablation, gradients, scaling } from "./page/sizes.ts"
import * as Store from "./store.ts"

/** The number of planned runs that are done. */
const progress = (): string => {
  const counts = experiments.map(({ name, about, cases }) => {
    const all = cases()
    return { name, about, all: all.length, done: Store.results(name, all).length }
  })
  const open = counts.filter(({ all, done }) => all === 0 || done < all)
  if (open.length === 0) return ""
  const list = open.map(
    ({ name, about, all, done }) => `${name} (${about}): ${done} of ${all || "a number still unknown"}`,
  )
  return `**This page is incomplete.** Runs that are done: ${list.join("; ")}.`
}

/** The versions and machines of the runs, from their lines. */
const provenance = (): string => {
  const names = [...new Set([...experiments.map(({ name }) => name), "peers", "peers-scaling"])]
  const last = new Map(
    names.flatMap((name) => Store.read(name).map((line) => [`${name} ${keyOf(line.case)}`, line])),
  )
  const by = new Set([...last.values()].map((line) => line.by))
  const failed = [...last].filter(([, { error }]) => error !== undefined)
  const why = new Set(failed.map(([, { error }]) => error))
  return blocks(
    `Run with: ${[...by].join("; ") || "nothing yet"}.`,
    failed.length === 0
      ? ""
      : `${failed.length} cases have an error in place of a result: ${[...why].join("; ")}.`,
  )
}

const intro = `The paper's experiments: our figures and the paper's. \`npm run reproduce\` does the missing runs and writes this page. Every run is a
line of \`bench/results/reproduction/*.jsonl\` with its case (problem, noise, seed, changes of the published settings) and its result.
Seeds are 1 to 10; the search for settings has other seeds. The folder docs/reproduction has the tables as CSV and the pictures with their Vega-Lite specifications.
[Expressions of every method](reproduction/expressions.md) and [the ten best by LMPSE](reproduction/top-ten.md) have pages of their own.`

const setting = `n = 2,000 rows, 90 % to fit and 10 % to test, Gaussian noise of standard deviation 0, 0.1 and 0.2, ten repetitions; the noise levels of a seed
share features and draws. K = D = 3, S = 8, T = 2,000 steps, H = 2,000 draws, learning rate 5e-5, temperature 1 to 0.5 over 1,500 steps (Table
vasst-common-hyperparameters); operators as in Table operator-sets-by-method-equation.

_Found_ means that the noiseless truth on new rows lies in the span of an intercept and the model's terms, to 1e-6 of its standard deviation. A found model has the law,
and may have spurious terms, as the paper's printed expressions do.`

export const writePages = async (): Promise<void> => {
  const page = out("reproduction.md")
  const arms = load()
  await expressionsPage(arms)
  await topTenPage(arms)
  await page.write(
    blocks(
      "# The paper, reproduced",
      intro,
      progress(),
      "## The problems",
      page.table(
        "problems",
        ["problem", "law", "features", "in the variables", "each uniform on", "operators"],
        problems.map((problem) => [
          problem.name,
          `\`${problem.formula}\``,
          isReduced(problem)
            ? problem.features.map((feature, j) => `${feature} = \`${problem.definitions[j]}\``).join(", ")
            : problem.features.join(", "),
          `\`${problem.rawFormula}\``,
          [...new Set(problem.variables.map(({ low, high }) => `(${low}, ${high})`))].join(", "),
          problem.operators.join(" "),
        ]),
      ),
      setting,
      await comparison(page, arms),
      differences(page, arms),
      choices(page, arms),
      await search(page),
      ablation(page),
      await gradients(page),
      await scaling(page),
      await others(page, arms),
      "## Versions",
      provenance(),
    ),
  )
}
