import * as Move from "../Move.ts"

/**
 * An operator comes on top of a subtree that is combined with a constant in the same change: x and c - x are one column where
 * coefficients are free, but sqrt(c - x) is not sqrt(x).
 */
export const lifting = Move.make({
  name: "lifting",
  parts: ({ constants, numbers }, _, level) => ({
    shifts: level === 0 ? constants : [...constants, ...numbers],
  }),
})
