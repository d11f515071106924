import * as tf from "@tensorflow/tfjs-core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { BackendError } from "./Errors.ts"
import { installUtilShim } from "./utilShim.ts"

/** The tfjs backends that the project supports, fastest first. */
export type BackendName = "tensorflow" | "wasm" | "cpu"

/** What a user may ask for: one of them, or the fastest that loads. */
export type BackendRequest = BackendName | "auto"

/** The active tfjs backend. There is one in a process: tfjs keeps it in a global. */
export class Backend extends Context.Service<
  Backend,
  {
    readonly name: BackendName
    /** why a faster one was passed over, in one line; undefined where none was */
    readonly note: string | undefined
  }
>()("vasst/runtime/Backend") {}

const load: Readonly<Record<BackendName, () => Promise<unknown>>> = {
  tensorflow: () => {
    installUtilShim()
    // TensorFlow's C++ side greets on stderr; only its errors concern a user.
    process.env["TF_CPP_MIN_LOG_LEVEL"] ??= "2"
    return import("@tensorflow/tfjs-node")
  },
  wasm: () => import("@tensorflow/tfjs-backend-wasm"),
  cpu: () => import("@tensorflow/tfjs-backend-cpu"),
}

/** Loads one backend and makes it the active one; a line that says what is wrong where it does not load. */
const activate = (name: BackendName): Effect.Effect<BackendName, BackendError> =>
  Effect.tryPromise({
    try: async () => {
      // Without this, tfjs advertises its node backend on the console and checks every number.
      tf.enableProdMode()
      await load[name]()
      if (!(await tf.setBackend(name))) throw new Error("tfjs refuses it")
      await tf.ready()
      return name
    },
    catch: (cause) =>
      new BackendError({ message: `the tfjs backend "${name}" does not load: ${firstLine(cause)}` }),
  })

const firstLine = (cause: unknown): string =>
  (cause instanceof Error ? cause.message : String(cause)).split("\n")[0] ?? ""

/** Makes the requested backend active; `auto` takes the first that loads of tensorflow, wasm and cpu. */
export const select = (request: BackendRequest): Effect.Effect<Backend["Service"], BackendError> => {
  if (request !== "auto") return Effect.map(activate(request), (name) => ({ name, note: undefined }))
  const note = "native TensorFlow is not installed (npm run setup:native builds it); steps are slower without"
  return activate("tensorflow").pipe(
    Effect.map((name) => ({ name, note: undefined })),
    Effect.catch(() => Effect.map(activate("wasm"), (name) => ({ name, note }))),
    Effect.catch(() => Effect.map(activate("cpu"), (name) => ({ name, note }))),
  )
}

/** A layer with the requested backend active. */
export const layer = (request: BackendRequest = "auto"): Layer.Layer<Backend, BackendError> =>
  Layer.effect(Backend, select(request))
