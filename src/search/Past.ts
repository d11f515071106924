import type { Archive } from "../infer/Archive.ts"
import * as Tree from "../prob/Tree.ts"
import * as RestartAgreement from "./RestartAgreement.ts"
import type { Found, Outcome, Past } from "./State.ts"

/** An ensemble as text, equal for equal sets of trees under one link; empty without an ensemble. */
export const formOf = (found: Found | undefined): string =>
  found === undefined ? "" : [found.link, ...found.trees.map(Tree.key).sort()].join(" ")

/**
 * The ensembles of restarts that have ended together with those of another one, best first. Of equal values the better
 * expression stays, with the first time that they were found.
 */
export const join = (past: Past, { ensembles, scored }: Pick<Outcome, "ensembles" | "scored">): Past => {
  const found = new Map(past.ensembles.map((one) => [one.key, one]))
  for (const one of ensembles) {
    const before = found.get(one.key)
    const own = { ...one, found: past.scored + one.found }
    found.set(one.key, before === undefined ? own : { ...better(before, own), found: before.found })
  }
  return {
    ...past,
    ensembles: [...found.values()].sort((a, b) => b.score - a.score),
    scored: past.scored + scored,
  }
}

const better = (a: Found, b: Found): Found => ({
  ...(b.score > a.score ? b : a),
  stays: a.stays || b.stays,
})

/** The restarts that have ended, another one of which has ended. */
export const ended = (past: Past, outcome: Outcome): Past => {
  const settled = outcome.form !== ""
  const same = settled && outcome.form === past.form
  const leads = outcome.best > past.best
  const { best, logEvidence, form } = leads ? outcome : past
  return {
    ...join(past, outcome),
    best,
    logEvidence,
    form,
    agreeing: settled
      ? RestartAgreement.count(past.agreeing, outcome.best, past.best, same)
      : leads
        ? 0
        : past.agreeing,
    ended: past.ended + 1,
    exhausted: Math.max(past.exhausted, outcome.exhausted),
  }
}

/** The restarts with the ensembles that stay in the archive through further ones. */
export const lasting = (past: Past): Past => ({
  ...past,
  ensembles: past.ensembles.filter(({ stays }) => stays),
})

export const archive = ({ ensembles, scored, ended, agreeing, exhausted }: Past): Archive => ({
  scored,
  reach: { restarts: ended, agreeing, exhausted },
  ensembles: ensembles.map(({ link, trees, score, found }) => ({ link, trees, score, found })),
})
