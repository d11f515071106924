/**
 * A derivative with differences where it is not finite and the function is: x^c has none by c at 0 that a formula could say, and is 0 there
 * whatever c is. Without it the numbers of a law with one such row could not be fitted.
 *
 * @param slope the derivative as a formula has it
 * @param values the values of the function
 * @param difference the same derivative by a difference
 */
export const completed = (
  slope: Float64Array,
  values: Float64Array,
  difference: () => Float64Array,
): Float64Array => {
  let sound = 0
  while (sound < slope.length && (Number.isFinite(slope[sound]) || !Number.isFinite(values[sound]))) sound++
  if (sound === slope.length) return slope
  const instead = difference()
  return slope.map((one, i) => (Number.isFinite(one) ? one : instead[i]!))
}
