import * as Effect from "effect/Effect"

/** The prior of numbers inside of terms by the flag `--learned`; undefined for the default. */
export const numbers = (size: number | undefined) =>
  size === undefined
    ? Effect.succeed(undefined)
    : size === 0
      ? Effect.succeed("none" as const)
      : Effect.promise(async () => {
          const [Constant, Dist] = await Promise.all([
            import("../prob/Constant.ts"),
            import("../prob/Dist.ts"),
          ])
          return Constant.fitted(Dist.normal(0, size))
        })
