/**
 * The candidate that `name` was probably meant to be: the nearest in edits (insert, delete, replace, swap two
 * neighbours, letters of either case alike), if it is near enough not to be a different word: one edit for every three
 * letters. Else the one that begins with `name`.
 *
 * @example
 * nearest("perod", ["period", "mass"]) // "period"
 */
export const nearest = (name: string, candidates: ReadonlyArray<string>): string | undefined => {
  const asked = name.toLowerCase()
  const limit = Math.floor(name.length / 3)
  let best: string | undefined
  let least = limit + 1
  for (const candidate of candidates) {
    const distance = edits(asked, candidate.toLowerCase())
    if (distance < least) {
      best = candidate
      least = distance
    }
  }
  return best ?? begun(asked, candidates)
}

/** The one candidate that begins with a text of three letters or more: `Temperature (K)` for `temperature`. */
const begun = (asked: string, candidates: ReadonlyArray<string>): string | undefined => {
  const found = candidates.filter((candidate) => candidate.toLowerCase().startsWith(asked))
  return asked.length > 2 && found.length === 1 ? found[0] : undefined
}

/**
 * The question that ends a message about a name that is not known, such as `; did you mean "period"?`.
 *
 * @param otherwise in its place where no candidate is near
 */
export const meant = (
  name: string,
  candidates: ReadonlyArray<string>,
  {
    quote = JSON.stringify,
    otherwise = "",
  }: { readonly quote?: (name: string) => string; readonly otherwise?: string } = {},
): string => {
  const near = nearest(name, candidates)
  return near === undefined ? otherwise : `; did you mean ${quote(near)}?`
}

/** Optimal string alignment distance, by rows of the usual table. */
const edits = (a: string, b: string): number => {
  let older: ReadonlyArray<number> = []
  let previous: ReadonlyArray<number> = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const current = [i]
    for (let j = 1; j <= b.length; j++) {
      let cost = Math.min(
        previous[j]! + 1,
        current[j - 1]! + 1,
        previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1),
      )
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, older[j - 2]! + 1)
      current.push(cost)
    }
    older = previous
    previous = current
  }
  return previous[b.length]!
}
