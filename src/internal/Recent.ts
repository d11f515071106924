/** Values by key, of which the latest that were asked for are kept: the memory of a process does not grow with its hours. */
export interface Recent<A> {
  /**
   * The value of a key, which is then the latest.
   *
   * @param make the value, given the one that is kept; undefined where there is none
   */
  readonly of: (key: string, make: (known: A | undefined) => A) => A
  /** the number of values that are kept */
  readonly size: () => number
}

/** @param most how many values are kept, from 1 on */
export const make = <A>(most: number): Recent<A> => {
  // In the order in which they were asked for.
  const values = new Map<string, A>()
  return {
    of: (key, make) => {
      const value = make(values.get(key))
      values.delete(key)
      values.set(key, value)
      if (values.size > most) for (const oldest of values.keys()) if (values.delete(oldest)) break
      return value
    },
    size: () => values.size,
  }
}
