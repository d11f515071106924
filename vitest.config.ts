import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"

const source = fileURLToPath(new URL("./src/", import.meta.url))

export default defineConfig({
  resolve: {
    // Examples import "vasst" as a user does; the tests run them against the sources, not against a build.
    alias: [
      { find: /^vasst$/, replacement: `${source}index.ts` },
      { find: /^vasst\/(.+)$/, replacement: `${source}$1.ts` },
    ],
  },
  test: {
    include: ["test/**/*.test.ts", "examples/**/*.test.ts"],
    // Processes, not threads: native TensorFlow cannot be loaded twice into one process.
    pool: "forks",
    maxWorkers: 2,
    setupFiles: ["./test/support/seed.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ["default", "./test/support/reporter.ts"],
    // Native TensorFlow greets on stderr otherwise.
    env: { TF_CPP_MIN_LOG_LEVEL: "2" },
  },
})
