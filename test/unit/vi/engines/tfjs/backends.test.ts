import { describe, expect, it } from "vitest"
import * as tf from "@tensorflow/tfjs-core"
import "@tensorflow/tfjs-backend-cpu"
import "@tensorflow/tfjs-backend-wasm"
import { createRequire } from "node:module"
import { availableBackends } from "../../../../support/backends.ts"

describe.each(availableBackends().map((backend) => ({ backend })))("backend $backend", ({ backend }) => {
  it("multiplies two matrices", async () => {
    // Through require, because its CommonJS exports cannot be named, and it may not be installed at all.
    if (backend === "tensorflow") createRequire(import.meta.url)("@tensorflow/tfjs-node")
    // Silences tfjs's advertisement for tfjs-node on the slower backends.
    tf.env().set("PROD", true)
    expect(await tf.setBackend(backend)).toBe(true)
    const a = tf.tensor2d([1, 2, 3, 4], [2, 2])
    expect(Array.from(tf.matMul(a, a).dataSync())).toEqual([7, 10, 15, 22])
  })
})
