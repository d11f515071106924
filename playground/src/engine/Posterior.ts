import { infix } from "vasst/expr/text/infix"
import { latex } from "vasst/expr/text/latex"
import type { Model } from "vasst/rank/Model"
import type { Ranking } from "vasst/rank/Ranking"
import * as NumberText from "../../../src/report/NumberText.ts"
import type { Law, Posterior } from "./Messages.ts"

/** The number of laws that the page shows. */
export const shown = 10

/** A ranked law as the page shows it. */
export const law = ({ expression, numbers, probability, posterior, lmpse, complexity }: Model): Law => {
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
export const of = ({ models, unseen }: Ranking): Posterior => {
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
