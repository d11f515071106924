/** Ordered choices of some of a list, each once. */
export const choices = function* <A>(list: ReadonlyArray<A>, count: number): Generator<ReadonlyArray<A>> {
  if (count === 0) return yield []
  for (const [k, one] of list.entries())
    for (const rest of choices(list.toSpliced(k, 1), count - 1)) yield [one, ...rest]
}
