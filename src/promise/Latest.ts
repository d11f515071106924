/** The newest value of something that goes on, for those who wait for it: values that nobody waits for are not made. */
export interface Latest<A> {
  /** Whether somebody waits for a value. */
  readonly wanted: () => boolean
  /** Gives a value to all who wait. */
  readonly tell: (value: A) => void
  /** Ends with a last value, which all get who did not leave before. */
  readonly end: (last: A) => void
  readonly fail: (error: unknown) => void
  /** The values from now on. */
  readonly values: () => AsyncIterator<A, undefined>
}

/** What those who wait are told. */
type Told<A> =
  | { readonly _tag: "Value"; readonly value: A }
  | { readonly _tag: "End"; readonly last: A }
  | { readonly _tag: "Failure"; readonly error: unknown }

export const make = <A>(): Latest<A> => {
  let ended: Exclude<Told<A>, { readonly _tag: "Value" }> | undefined
  let waiting: Array<(told: Told<A>) => void> = []
  const tell = (told: Told<A>): void => {
    const all = waiting
    waiting = []
    for (const wake of all) wake(told)
  }
  const close = (told: typeof ended & {}): void => {
    ended ??= told
    tell(ended)
  }
  const values = (): AsyncIterator<A, undefined> => {
    let left = false
    const over = (): IteratorReturnResult<undefined> => {
      left = true
      return { done: true, value: undefined }
    }
    return {
      next: async () => {
        if (left) return over()
        const told =
          ended ??
          (await new Promise<Told<A>>((resolve) => {
            waiting.push(resolve)
          }))
        if (left) return over()
        if (told._tag === "Value") return { done: false, value: told.value }
        left = true
        if (told._tag === "Failure") throw told.error
        return { done: false, value: told.last }
      },
      return: () => Promise.resolve(over()),
    }
  }
  return {
    wanted: () => waiting.length > 0,
    tell: (value) => tell({ _tag: "Value", value }),
    end: (last) => close({ _tag: "End", last }),
    fail: (error) => close({ _tag: "Failure", error }),
    values,
  }
}
