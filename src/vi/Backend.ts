import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Target from "../wasm/Target.ts"
import { BackendError } from "../errors/Errors.ts"

/** The backends of tfjs that the project supports, fastest first. */
export type TfjsBackend = "tensorflow" | "wasm" | "cpu"

/** What fits run on: the project's own kernels, or a backend of tfjs. Fastest first. */
export type BackendName = "simd" | TfjsBackend

/** The backend that a user asks for: one by name, or `"auto"`, the fastest that works here. */
export type BackendRequest = BackendName | "auto"

/** The backend that fits run on. A backend of tfjs is also the active one: tfjs keeps that in a global. */
export class Backend extends Context.Service<
  Backend,
  {
    readonly name: BackendName
    /** one line that says why a faster backend was passed over; undefined where none was */
    readonly note: string | undefined
  }
>()("vasst/vi/Backend") {}

const load: Readonly<Record<TfjsBackend, () => Promise<unknown>>> = {
  tensorflow: async () => {
    // Only here is Node needed: fits on simd and on the other backends run in browsers as well.
    const { installUtilShim } = await import("./engines/tfjs/utilShim.ts")
    installUtilShim()
    // TensorFlow's C++ side greets on stderr; only its errors concern a user.
    process.env["TF_CPP_MIN_LOG_LEVEL"] ??= "2"
    return import("@tensorflow/tfjs-node")
  },
  wasm: () => import("@tensorflow/tfjs-backend-wasm"),
  cpu: () => import("@tensorflow/tfjs-backend-cpu"),
}

/** The packages of each backend beside tfjs-core. All are optional peers: fits on simd need none of tfjs. */
const packages: Readonly<Record<TfjsBackend, string>> = {
  tensorflow: "@tensorflow/tfjs-node",
  wasm: "@tensorflow/tfjs-backend-wasm",
  cpu: "@tensorflow/tfjs-backend-cpu",
}

/** Whether an import failed because a package of tfjs is not installed. */
const isAbsence = (cause: unknown): boolean =>
  cause instanceof Error &&
  /^(ERR_MODULE_NOT_FOUND|MODULE_NOT_FOUND)$/.test(String(Reflect.get(cause, "code"))) &&
  cause.message.includes("'@tensorflow/")

/** The reason of a failure in one line, with the command that installs a missing package. */
const complaint = (name: TfjsBackend, cause: unknown): string => {
  if (!isAbsence(cause)) return `the tfjs backend "${name}" does not load: ${firstLine(cause)}`
  // The install script of tfjs-node downloads TensorFlow from a host that is not a package registry.
  const otherwise =
    name === "tensorflow" ? " (where that fails, vasst's scripts/setup-native.mjs builds it)" : ""
  const install = `npm install @tensorflow/tfjs-core ${packages[name]}`
  return `the tfjs backend "${name}" is not installed; run: ${install}${otherwise}`
}

/**
 * Loads one backend of tfjs and makes it the active one. Fails with a `BackendError` that says why it does not load.
 */
const activate = (name: TfjsBackend): Effect.Effect<TfjsBackend, BackendError> =>
  Effect.tryPromise({
    try: async () => {
      // Imported here, so that fits on simd do not wait for tfjs.
      const tf = await import("@tensorflow/tfjs-core")
      // Without this, tfjs advertises its node backend on the console and checks every number.
      tf.enableProdMode()
      await load[name]()
      if (!(await tf.setBackend(name))) throw new Error("tfjs refuses it")
      await tf.ready()
      return name
    },
    catch: (cause) => new BackendError({ message: complaint(name, cause) }),
  })

const firstLine = (cause: unknown): string =>
  (cause instanceof Error ? cause.message : String(cause)).split("\n")[0] ?? ""

const without = "this machine has no WebAssembly SIMD"

/**
 * Makes the requested backend active; `auto` takes the first that works of simd, tensorflow, wasm and cpu. Fails with a
 * `BackendError` when the requested backend does not load, or none does.
 */
export const select = (request: BackendRequest): Effect.Effect<Backend["Service"], BackendError> => {
  const simd = Target.detect() !== undefined
  if (request === "simd" || (request === "auto" && simd))
    return simd
      ? Effect.succeed({ name: "simd", note: undefined })
      : Effect.fail(new BackendError({ message: `the backend "simd" does not work here: ${without}` }))
  if (request !== "auto") return Effect.map(activate(request), (name) => ({ name, note: undefined }))
  const note = `${without}, so that fits run on tfjs and take many times as long`
  return activate("tensorflow").pipe(
    Effect.catch(() => activate("wasm")),
    Effect.catch(() => activate("cpu")),
    Effect.map((name) => ({ name, note })),
  )
}

/**
 * A layer with the requested backend active; see `select`. *When to use*: `"auto"` unless a result has to come from one
 * backend: tfjs backends are the reference, and take many times as long.
 */
export const layer = (request: BackendRequest = "auto"): Layer.Layer<Backend, BackendError> =>
  Layer.effect(Backend, select(request))
