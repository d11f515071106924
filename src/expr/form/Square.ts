import * as Coefficient from "./Coefficient.ts"
import { sum, type Product } from "./Form.ts"
import * as Products from "./Product.ts"

/** The number of a sum of a number and one more product, and that product. */
const parts = ({ powers }: Product): readonly [number: Product, other: Product] | undefined => {
  const [only, ...others] = powers
  if (only?.base._tag !== "Group" || only.exponent !== 2 || others.length > 0) return undefined
  const [a, b, ...more] = only.base.sum.terms
  if (a === undefined || b === undefined || more.length > 0) return undefined
  if (Products.isNumber(a)) return Products.isNumber(b) ? undefined : [a, b]
  return Products.isNumber(b) ? [b, a] : undefined
}

/**
 * The products of a sum without the square that its number completes: (u + 1/2)^2 - 1/4 is u (u + 1), and multiplied out beside other products. Undefined where there is none.
 *
 * @param terms with different powers
 */
export const withoutSquare = (terms: ReadonlyArray<Product>): ReadonlyArray<Product> | undefined => {
  for (const square of terms) {
    const found = parts(square)
    if (found === undefined) continue
    const [offset, u] = found
    const by = Products.number(square.coefficient)
    const completed = Products.multiply(by, Products.multiply(offset, offset))
    const number = terms.find(({ key }) => key === completed.key)
    if (number === undefined || Coefficient.add(completed.coefficient, number.coefficient).over !== 0)
      continue
    const twice = Products.multiply(Products.number(Coefficient.make(2)), offset)
    const others = terms.filter((one) => one !== square && one !== number)
    return others.length === 0
      ? [Products.multiply(Products.multiply(by, u), Products.grouped(sum([u, twice])))]
      : [
          ...others,
          Products.multiply(by, Products.multiply(u, u)),
          Products.multiply(by, Products.multiply(twice, u)),
        ]
  }
  return undefined
}
