/** The result of a generator that yields between its parts, all of them taken at once. */
export const whole = <A>(making: Generator<void, A>): A => {
  for (;;) {
    const { done, value } = making.next()
    if (done === true) return value
  }
}
