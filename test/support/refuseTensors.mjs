// Preloaded (`node --import`) to prove that a program does without tensors.
import { registerHooks } from "node:module"

registerHooks({
  resolve: (specifier, context, next) => {
    if (specifier.startsWith("@tensorflow/")) throw new Error(`${specifier} was loaded`)
    return next(specifier, context)
  },
})
