/** The time that is left for a ranking. */
export interface Deadline {
  /** seconds; 0 or less when it is over, infinite without a limit */
  readonly left: () => number
}

export const none: Deadline = { left: () => Infinity }

/** Begins work. @returns the deadline of a share, from 0 to 1, of the time that is left now */
export const parts = (deadline: Deadline): ((share: number) => Deadline) => {
  const whole = Math.max(0, deadline.left())
  // One that comes from elsewhere may end what had no limit.
  if (whole === Infinity) return () => deadline
  return (share) => ({ left: () => deadline.left() - (1 - share) * whole })
}

/** Begins work. @returns whether a share of the time that was left then, from 0 to 1, is used up; never without a limit */
export const begun = (deadline: Deadline): ((share: number) => boolean) => {
  const until = parts(deadline)
  return (share) => until(share).left() <= 0
}
