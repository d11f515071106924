import { number, optional, path } from "./Flags.ts"

/** The flags of runs that last. */
export const parameters = {
  run: optional(
    path(
      "run",
      "DIR",
      "Keep the state of the fit in this directory while it runs, so that vasst resume DIR goes on after an interruption, and write its files there as --out does (default none)",
    ),
  ),
  every: optional(
    number(
      "every",
      "SECONDS",
      "With --run: keep the state after this time in seconds again and again (default 5, or 20 times as long as writing it takes)",
      "a number of seconds greater than 0",
      (value) => value > 0,
    ),
  ),
} as const
