/** A function of objects with a value that is computed once for each, and kept as long as the object is. */
export const memo = <A extends object, B extends NonNullable<unknown>>(
  of: (object: A) => B,
): ((object: A) => B) => {
  const known = new WeakMap<A, B>()
  return (object) => {
    const value = known.get(object) ?? of(object)
    known.set(object, value)
    return value
  }
}
