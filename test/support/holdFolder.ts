// A process that uses a folder until it is killed.
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import * as FileStore from "../../src/infer/FileStore.ts"

await Effect.runPromise(
  Effect.scoped(
    Effect.gen(function* () {
      yield* FileStore.open(process.argv[2]!)
      process.stdout.write("open\n")
      yield* Effect.never
    }),
  ).pipe(Effect.provide(NodeServices.layer)),
)
