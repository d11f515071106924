/** The time that is left for a ranking. */
export interface Deadline {
  /** seconds; 0 or less when it is over, infinite without a limit */
  readonly left: () => number
}

export const none: Deadline = { left: () => Infinity }

/** Begins work. @returns whether a share of the time that was left then, from 0 to 1, is used up; never without a limit */
export const begun = ({ left }: Deadline): ((share: number) => boolean) => {
  const whole = left()
  return (share) => left() <= (whole === Infinity || whole <= 0 ? 0 : (1 - share) * whole)
}
