// The tfjs backends that tests run on. `VASST_BACKENDS=wasm,cpu npm test` chooses; by default every backend
// that loads on this machine is used, so that a machine without native TensorFlow still passes.
import { createRequire } from "node:module"
import { installUtilShim } from "../../src/vi/engines/tfjs/utilShim.ts"

export type TestBackend = "tensorflow" | "wasm" | "cpu"

const known: ReadonlyArray<TestBackend> = ["tensorflow", "wasm", "cpu"]
const isKnown = (name: string): name is TestBackend => known.some((backend) => backend === name)

/** Whether the native library itself loads: tfjs-node's JavaScript may be installed without it. */
const nativeLoads = (): boolean => {
  const require = createRequire(import.meta.url)
  try {
    const manifest = require.resolve("@tensorflow/tfjs-node/package.json")
    const binary = createRequire(manifest)("@mapbox/node-pre-gyp") as { find: (manifest: string) => string }
    // Only the addon, not tfjs-node: loading that would make `tensorflow` the active backend behind a test's back.
    installUtilShim()
    require(binary.find(manifest))
    return true
  } catch {
    return false
  }
}

const chosen = (names: string): ReadonlyArray<TestBackend> =>
  names
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "")
    .map((name) => {
      if (isKnown(name)) return name
      throw new Error(`VASST_BACKENDS: no backend "${name}"; known are ${known.join(", ")}`)
    })

let backends: ReadonlyArray<TestBackend> | undefined

/**
 * Backends to test on, fastest first; never empty. Computed at the first call, because loading native
 * TensorFlow takes a moment that tests without tensors should not pay.
 */
export const availableBackends = (): ReadonlyArray<TestBackend> => {
  const names = process.env["VASST_BACKENDS"] ?? ""
  backends ??= names === "" ? known.filter((name) => name !== "tensorflow" || nativeLoads()) : chosen(names)
  return backends
}
