import { children, type Term } from "./TermF.ts"

/** How often each name stands in a term. */
export const occurrences = (term: Term, counts = new Map<string, number>()): ReadonlyMap<string, number> => {
  if (term._tag === "Variable") counts.set(term.name, (counts.get(term.name) ?? 0) + 1)
  else for (const child of children<Term>(term)) occurrences(child, counts)
  return counts
}
