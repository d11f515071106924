/**
 * The k-th smallest of numbers, k from 0, as a sorted copy has it: by partitions (Hoare's selection), in a time that grows as the
 * number of values. NaN counts as larger than all numbers.
 *
 * @param values length n, above k; they are not changed
 */
export const orderStatistic = (values: Float64Array, k: number): number => {
  // A sort is quicker on few.
  if (values.length < few) return values.toSorted()[k]!
  const own = values.slice()
  let [low, high] = [0, own.length - 1]
  while (low < high) {
    const pivot = medianOfThree(own[low]!, own[(low + high) >> 1]!, own[high]!)
    let [i, j] = [low, high]
    while (i <= j) {
      while (isLess(own[i]!, pivot)) i++
      while (isLess(pivot, own[j]!)) j--
      if (i > j) break
      const other = own[i]!
      own[i++] = own[j]!
      own[j--] = other
    }
    if (k <= j) high = j
    else if (k >= i) low = i
    else return own[k]!
  }
  return own[k]!
}

const few = 256

/** The order of a sorted typed array: NaN last. */
const isLess = (a: number, b: number): boolean => a < b || (Number.isNaN(b) && !Number.isNaN(a))

const medianOfThree = (a: number, b: number, c: number): number =>
  isLess(a, b) ? (isLess(b, c) ? b : isLess(a, c) ? c : a) : isLess(a, c) ? a : isLess(b, c) ? c : b
