/** When a value that takes work is computed. */
export interface Pace {
  /** the seconds of a fit after which it is computed first */
  readonly first: number
  /** the share of the time of the fit that it takes at most, once it is known how long it takes */
  readonly share: number
}

/** Looks at the best law so far: they slow a fit down by a twentieth at most, and a fit that ends at once by nothing. */
export const usual: Pace = { first: 3, share: 0.05 }

/** A value that takes work, as it was when it was last computed. */
export interface Looks<A> {
  /**
   * @param seconds of the fit, at this call
   * @param compute is called where the value is due
   * @returns the latest value; undefined before the first
   */
  readonly at: (seconds: number, compute: () => A) => A | undefined
}

/** @param clock in seconds */
export const make = <A>(
  { first, share }: Pace = usual,
  clock: () => number = () => performance.now() / 1000,
): Looks<A> => {
  let value: A | undefined
  let due = first
  return {
    at: (seconds, compute) => {
      if (seconds < due) return value
      const began = clock()
      value = compute()
      due = seconds + (clock() - began) / share
      return value
    },
  }
}
