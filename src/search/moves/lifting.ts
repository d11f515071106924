import * as Move from "../Move.ts"

/**
 * An operator comes on top of a subtree that is combined with a constant in the same change: x and c - x are one column where
 * coefficients are free, but sqrt(c - x) is not sqrt(x).
 *
 * *When to use*: where laws have a constant inside of a function, as sqrt(1 - v^2): without it the search has to keep 1 - v^2, whose score
 * is that of v^2. Leave it out where the grammar has no function of one argument.
 */
export const lifting = Move.make({
  name: "lifting",
  parts: ({ constants, numbers }, _, level) => ({
    shifts: level === 0 ? constants : [...constants, ...numbers],
  }),
})
