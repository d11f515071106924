import type { ApproximateEvidence } from "./ApproximateEvidence.ts"
import type * as ConstantGrid from "./ConstantGrid.ts"
import type { OneMoreNumber } from "./OneMoreNumber.ts"
import type { ExpressionLibrary } from "./ExpressionLibrary.ts"
import * as Frontier from "./Frontier.ts"
import * as FormLibrary from "./FormLibrary.ts"
import type * as HallOfFame from "./HallOfFame.ts"
import * as RestartAgreement from "./RestartAgreement.ts"
import type { Scoring } from "./Scoring.ts"
import type { Core } from "./State.ts"
import * as Sums from "./Sums.ts"
import type { Look, Sum } from "./Sums.ts"

/**
 * Builds sums of forms with fitted constants, such as two exponentials and a peak: a form is added to the trees that are held, all
 * constants are fitted together, and so on; then each term is taken out in turn, and the best form for what the others leave put
 * in its place, until nothing improves (backfitting; Friedman and Stuetzle 1981). The first term of a sum is chosen for
 * the whole response, and is seldom a term of the law.
 */
export interface FormChain {
  /**
   * Makes one more piece of the library of forms, after those that were made before. What follows needs the whole library.
   *
   * @param progress how many pieces were made before; one more is, unless it was the last
   * @returns whether the library is whole
   */
  readonly prepare: (progress: Pick<Core, "forms">) => boolean
  /** Adds forms beside trees that are held. @returns the time that it took, as a number of ensembles that are scored in it */
  readonly beside: (frontier: Frontier.Frontier, held: HallOfFame.Held) => number
  /** Takes one piece of the building of sums of like terms, whose terms then give way to other forms. @returns the same time */
  readonly sums: (frontier: Frontier.Frontier) => number
  /** Fits all constants of an ensemble together. @returns the same time */
  readonly together: (frontier: Frontier.Frontier, trees: ReadonlyArray<number>) => number
  /** Forgets the forms: their nodes are gone. They are made anew when they are first needed, on the grid of then. */
  readonly forget: () => void
}

type Fitter = Pick<OneMoreNumber, "together" | "refined" | "forms" | "withOneMore">

/** The forms whose constants are fitted, of those that are tried beside trees. */
const surveyed = 12
/** How many numbers more a form may get. */
const numbers = 2
/** How many terms a sum grows by in one step, at most: it goes on when its turn comes. */
const further = 6
/** How often each term of a sum is chosen anew, at most. */
const sweeps = 4
/** How often all constants are fitted together, at most: a fit goes on where the one before has ended. */
const rounds = 4

/** The forms of which sums of like terms are made, and the most nodes of a form of which all pairs are tried. */
const [families, paired] = [10, 64]
/** The forms whose constants are fitted for a term of a sum. */
const few = 6

const nothing: HallOfFame.Held = { trees: [], signatures: [] }

/**
 * @param cost what fitting constants takes, as a number of ensembles that are scored in the same time
 * @param leading the score of the best ensemble of all responses
 * @param grid the rough values of constants in the present restart
 */
export const make = (
  scoring: Scoring,
  approximate: Pick<ApproximateEvidence, "most">,
  fitter: Fitter,
  library: Pick<ExpressionLibrary, "ids">,
  cost: number,
  leading: () => number,
  grid: () => ConstantGrid.ConstantGrid,
): FormChain => {
  let making: FormLibrary.Making | undefined
  let known: FormLibrary.FormLibrary | undefined
  let made = 0
  /**
   * A whole number: the time of a step is a difference of two, which would depend on all restarts before if these were rounded.
   */
  let spent = 0

  const prepare: FormChain["prepare"] = (progress) => {
    making ??= fitter.forms(library, grid())
    while (known === undefined && made <= progress.forms) {
      const { done, value } = making.next()
      if (done === true) known = value
      else made++
    }
    if (known === undefined) progress.forms = made
    return known !== undefined
  }

  const better = (a: Sum | undefined, b: Sum | undefined): Sum | undefined =>
    a === undefined || (b !== undefined && b.score > a.score) ? b : a

  /** The ensemble with all of its constants fitted together, as long as that improves it; undefined where there is no fit. */
  const fitted = (frontier: Frontier.Frontier, trees: ReadonlyArray<number>): Sum | undefined => {
    let best: Sum | undefined
    for (let round = 0; round < rounds; round++) {
      const from = best?.trees ?? trees
      const nodes = fitter.together(frontier.response, from)
      if (nodes === undefined || !nodes.every(scoring.possible)) break
      spent += cost
      const [next] = scoring.take(frontier, [nodes])
      if (next === undefined || !(next.score > (best?.score ?? -Infinity) + RestartAgreement.sameScore)) break
      best = next
    }
    return best
  }

  /** The best node of each form beside held trees, best first, before its constants are fitted. */
  const look = (
    frontier: Frontier.Frontier,
    held: HallOfFame.Held,
    { ids, forms }: FormLibrary.FormLibrary,
  ): ReadonlyArray<Look> => {
    const before = scoring.scored()
    const scores = scoring.survey(frontier, held.trees, ids)
    spent += scoring.scored() - before
    return FormLibrary.best(forms, scores).map((i) => ({ form: forms[i]!, id: ids[i]!, score: scores[i]! }))
  }

  /**
   * Tries a single tree with one number more as long as that improves it: forms have two rough numbers at most, and a damped wave has three, of
   * which the phase is worth nothing before the others are fitted. Sums go on without: numbers of one term take the part of other terms.
   */
  const deepen = (frontier: Frontier.Frontier, { trees: [id], score }: Sum): void => {
    let leading = { id: id!, score }
    for (let more = 0; more < numbers; more++) {
      const { id } = leading
      frontier.fitted.add(Frontier.slotKey({ trees: [id] }, 0))
      const nodes = fitter.withOneMore(frontier.response, [], id)
      spent += cost
      if (nodes.length === 0) return
      scoring.evaluate(frontier, [], [], nodes)
      if (!(scoring.best.score > leading.score + RestartAgreement.sameScore)) return
      leading = { ...scoring.best }
    }
  }

  /** Held trees with the best of forms beside them, the constants of all fitted together. */
  const extended = (
    frontier: Frontier.Frontier,
    held: HallOfFame.Held,
    candidates: ReadonlyArray<Look>,
  ): Sum | undefined => {
    const nodes = candidates
      .map(({ id }) => fitter.refined(frontier.response, held.trees, id))
      .filter(scoring.possible)
    spent += candidates.length * cost
    scoring.evaluate(frontier, held.trees, held.signatures, Int32Array.from(nodes))
    const { id, signature, score } = scoring.best
    if (id < 0) return undefined
    const next = { trees: [...held.trees, id], signatures: [...held.signatures, signature], score }
    return next.trees.length > 1 ? better(next, fitted(frontier, next.trees)) : next
  }

  const all = (): FormLibrary.FormLibrary => {
    if (known === undefined) throw new Error("the library of forms is not whole yet")
    return known
  }
  /** Held trees with the best form of all beside them. */
  const extendedByAny = (frontier: Frontier.Frontier, held: HallOfFame.Held): Sum | undefined => {
    frontier.surveyed.add(Frontier.heldKey(held))
    const sum = extended(frontier, held, look(frontier, held, all()).slice(0, surveyed))
    if (sum?.trees.length === 1) deepen(frontier, sum)
    return sum
  }

  const without = ({ trees, signatures }: Sum, slot: number): HallOfFame.Held => ({
    trees: trees.filter((_, k) => k !== slot),
    signatures: signatures.filter((_, k) => k !== slot),
  })

  /** A sum with each term in turn chosen anew beside the others, the oldest first, until none is better. */
  const swept = (from: Sum, chosen: (held: HallOfFame.Held) => Sum | undefined): Sum => {
    let sum = from
    let idle = 0
    for (let turn = 0; turn < sweeps * sum.trees.length && idle < sum.trees.length; turn++) {
      // The term that is put in is the last of the trees: the first is the oldest.
      const next = chosen(without(sum, 0))
      if (next !== undefined && next.score > sum.score + RestartAgreement.sameScore) {
        sum = next
        idle = 0
      } else {
        const { trees, signatures, score } = sum
        const turned = <A>(all: ReadonlyArray<A>): ReadonlyArray<A> => [...all.slice(1), ...all.slice(0, 1)]
        sum = { trees: turned(trees), signatures: turned(signatures), score }
        idle++
      }
    }
    return sum
  }
  /** A sum with some further terms, as long as each improves it. */
  const grown = (
    from: Sum | undefined,
    chosen: (held: HallOfFame.Held) => Sum | undefined,
  ): Sum | undefined => {
    let sum = from
    const size = Math.min(approximate.most, (from?.trees.length ?? 0) + further)
    while (sum !== undefined && sum.trees.length < size) {
      const next = chosen(sum)
      if (next === undefined || !(next.score > sum.score)) break
      sum = next
    }
    return sum
  }

  /**
   * The best terms of one form: alone, the best sum of two, of three, and so on. Two exponentials of opposite signs have no term that is good by
   * itself, so that pairs are tried where these are few.
   */
  const alike = (frontier: Frontier.Frontier, { form, id }: Look): ReadonlyArray<Sum> => {
    const { ids, forms, pure } = all()
    const own = ids.filter((_, i) => forms[i] === form)
    const library = { ids: own, forms: new Int32Array(own.length).fill(form), pure }
    const chosen = (held: HallOfFame.Held): Sum | undefined =>
      extended(frontier, held, look(frontier, held, library))
    const single = extended(frontier, nothing, [{ form, id, score: 0 }])
    if (single !== undefined) deepen(frontier, single)
    const pair = own.length <= paired ? bestPair(frontier, library) : undefined
    const sums = single === undefined ? [] : [single]
    let sum = better(single && chosen(single), pair)
    while (sum !== undefined && sum.score > (sums.at(-1)?.score ?? -Infinity)) {
      sum = swept(sum, chosen)
      sums.push(sum)
      sum = sum.trees.length < Math.min(approximate.most, further) ? chosen(sum) : undefined
    }
    return sums
  }
  const bestPair = (frontier: Frontier.Frontier, library: FormLibrary.FormLibrary): Sum | undefined => {
    let best: { readonly first: number; readonly second: Look } | undefined
    for (const first of library.ids) {
      const [second] = look(frontier, { trees: [first], signatures: [] }, library)
      if (second !== undefined && !(second.score <= (best?.second.score ?? -Infinity)))
        best = { first, second }
    }
    return best && fitted(frontier, [best.first, best.second.id])
  }

  const build = (frontier: Frontier.Frontier, held: HallOfFame.Held): void => {
    const before = leading()
    const chosen = (beside: HallOfFame.Held): Sum | undefined => extendedByAny(frontier, beside)
    const sum = grown(chosen(held), chosen)
    if (sum !== undefined && sum.trees.length > 1 && sum.score > before) swept(sum, chosen)
  }
  const formsOf = (turns: boolean | undefined): FormLibrary.FormLibrary =>
    FormLibrary.pureOf(all(), (one) => turns === undefined || one === turns)
  /** Takes one piece of the work of a stage; the next stage begins when its queue is empty. */
  const sums = (frontier: Frontier.Frontier): void => {
    const progress = frontier.sums
    const stage = Sums.stages[progress.stage]
    if (stage === undefined) return
    if (!progress.entered) {
      progress.entered = true
      progress.queue =
        stage.work === "begin"
          ? look(frontier, nothing, formsOf(stage.turns)).slice(0, families)
          : Sums.goingOn(progress, stage)
    }
    const [next, ...rest] = progress.queue
    progress.queue = rest
    if (next === undefined) {
      progress.stage++
      progress.entered = false
    } else if ("form" in next) {
      const turns = stage.turns === true
      progress.begun = [...progress.begun, ...alike(frontier, next).map((sum) => ({ ...sum, turns }))]
    } else goOn(frontier, next, formsOf(stage.turns))
  }
  /** Adds terms to a sum, and chooses all of its terms anew. */
  const goOn = (frontier: Frontier.Frontier, sum: Sum, own: FormLibrary.FormLibrary): void => {
    const chosen = (held: HallOfFame.Held): Sum | undefined =>
      extended(frontier, held, look(frontier, held, own).slice(0, few))
    const whole = grown(sum, chosen)
    if (whole !== undefined) swept(whole, chosen)
  }

  const counted = (work: () => void): number => {
    const before = spent
    work()
    return spent - before
  }
  return {
    prepare,
    beside: (frontier, held) => counted(() => build(frontier, held)),
    sums: (frontier) => counted(() => sums(frontier)),
    together: (frontier, trees) => counted(() => fitted(frontier, trees)),
    forget: () => {
      making = known = undefined
      made = 0
    },
  }
}
