/** The reason with which the signal is aborted where memory is full. */
export const full = "memory"

/** A signal of the program as a fit asks for it (`Fit.Interrupt`): whether it is to stop, and whether memory is why. */
export const of = (
  stop: AbortSignal,
): { readonly requested: () => boolean; readonly reason: () => "interrupted" | "memory" } => ({
  requested: () => stop.aborted,
  reason: () => (stop.reason === full ? "memory" : "interrupted"),
})
