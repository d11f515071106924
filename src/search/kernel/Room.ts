/**
 * The array itself where it is long enough, or a longer one with its contents: at least twice as long, so that growth
 * costs a constant for each number.
 */
export const room = <A extends { readonly length: number; readonly set: (from: A) => void }>(
  kind: new (length: number) => A,
  values: A,
  length: number,
): A => {
  if (length <= values.length) return values
  const more = new kind(Math.max(length, 2 * values.length))
  more.set(values)
  return more
}
