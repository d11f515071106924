/** A function of objects with a value that is computed once for each, and kept as long as the object is. */
export const memo = <A extends object, B>(of: (object: A) => B): ((object: A) => B) => {
  const known = new WeakMap<A, { readonly value: B }>()
  return (object) => {
    const found = known.get(object) ?? { value: of(object) }
    known.set(object, found)
    return found.value
  }
}
