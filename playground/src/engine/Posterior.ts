import { infix } from "vasst/expr/text/infix"
import { latex } from "vasst/expr/text/latex"
import type { Model } from "vasst/rank/Model"
import type { Ranking } from "vasst/rank/Ranking"
import * as NumberText from "../../../src/report/NumberText.ts"
import type { Law, Posterior } from "./Messages.ts"

/** The number of laws that the page shows. */
export const shown = 10

/** A law of a ranking, over groups or not. */
type Ranked = Pick<Model, "expression" | "numbers" | "probability" | "posterior" | "lmpse" | "complexity">

/** A ranked law as the page shows it. */
export const law = ({ expression, numbers, probability, posterior, lmpse, complexity }: Ranked): Law => {
  const rounded = NumberText.rounded(expression, numbers)
  return {
    latex: latex(rounded),
    text: infix(rounded),
    probability: probability ?? posterior,
    logPosterior: lmpse,
    complexity,
  }
}

/** A ranking as the page shows it. */
export const of = ({
  models,
  unseen,
}: Pick<Ranking, "unseen"> & { readonly models: ReadonlyArray<Ranked> }): Posterior => {
  const others = models.slice(shown)
  return {
    laws: models.slice(0, shown).map(law),
    others: {
      count: others.length,
      probability: others.reduce((sum, one) => sum + (one.probability ?? one.posterior), 0),
    },
    unseen: unseen?.probability ?? 0,
  }
}
