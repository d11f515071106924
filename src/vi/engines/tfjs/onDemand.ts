import * as Effect from "effect/Effect"
import { CompileError } from "../../../errors/Errors.ts"
import type { Engine } from "../Engine.ts"

/**
 * The reference engine (`vi/engines/tfjs/engine`), loaded when a plan is compiled.
 *
 * *When to use*: in a program that may run without the packages of tfjs, which are optional, or should not wait for
 * them. Compilation fails with a `CompileError` where `@tensorflow/tfjs-core` is not installed. A backend of tfjs has
 * to be active (`Backend.layer("cpu")`).
 */
export const engine: Engine = {
  name: "tfjs",
  compile: (...binding) =>
    Effect.flatMap(
      Effect.tryPromise({
        try: () => import("./engine.ts"),
        catch: (cause) =>
          new CompileError({
            message: `the tfjs engine does not load (npm install @tensorflow/tfjs-core): ${String(cause)}`,
          }),
      }),
      (tfjs) => tfjs.engine.compile(...binding),
    ),
}
