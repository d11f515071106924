import type { Groups } from "../../data/Groups.ts"
import { scaleOf } from "../../evidence/Law.ts"
import type { Archive } from "../../infer/Archive.ts"
import type { Grammar } from "../../prob/Grammar.ts"
import { numbers } from "../Numbers.ts"
import type * as Shortlist from "../Shortlist.ts"
import * as Signs from "../Signs.ts"
import * as Unseen from "../Unseen.ts"
import * as Forms from "./GroupForm.ts"
import type { GroupModel } from "./GroupModel.ts"

/** The mass of laws over groups that searches have not seen. */
export type GroupUnseen = (
  form: Forms.GroupForm,
  model: Pick<GroupModel, "complexity" | "lmpse" | "rmseTrain" | "residuals">,
  simpler: number,
) => Unseen.Unseen

/**
 * The mass that searches have not seen, by the form and the model of the best law, and the log posterior, in nats, of the best that is simpler.
 *
 * @param lists the forms of each archive that are ranked
 */
export const make = (
  grammar: Grammar,
  { data }: Pick<Groups, "data">,
  archives: ReadonlyArray<Archive>,
  lists: ReadonlyArray<ReturnType<typeof Shortlist.archived>>,
): GroupUnseen => {
  const reached = archives.map(Signs.reached)
  const sum = (of: (one: (typeof reached)[number]) => number): number =>
    reached.reduce((total, one) => total + of(one), 0)
  return (form, model, simpler) =>
    Unseen.of({
      rows: data.rows,
      columns: data.features.length,
      // Searches of other rows are independent, as restarts are, and agree where they have met the form.
      restarts: Math.max(
        lists.length,
        sum(({ restarts }) => restarts),
      ),
      agreeing: Math.max(
        ...reached.map(({ agreeing }) => agreeing),
        lists.filter((list) =>
          list.some(({ link, trees }) => Forms.make(grammar, link, trees).key === form.key),
        ).length,
      ),
      exhausted: Math.min(...reached.map(({ exhausted }) => exhausted)),
      scored: sum(({ scored }) => scored),
      found: sum(({ found }) => found),
      complexity: model.complexity,
      lead: model.lmpse - simpler,
      terms: numbers(form.trees),
      error: model.rmseTrain / scaleOf(data.y),
      misfit: Signs.misfitOf(model.residuals(), data),
    })
}
