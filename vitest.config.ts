import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import { publicModules } from "./scripts/exports.mjs"

const source = fileURLToPath(new URL("./src/", import.meta.url))

export default defineConfig({
  resolve: {
    // Examples import "vasst" as a user does; the tests run them against the sources, not against a build. A module that is
    // not public has no alias: its import fails, as a user's does.
    alias: [
      { find: /^vasst$/, replacement: `${source}index.ts` },
      ...publicModules().map((name) => ({
        find: new RegExp(`^vasst/${name}$`),
        replacement: `${source}${name}.ts`,
      })),
    ],
  },
  test: {
    include: ["test/**/*.test.ts", "examples/**/*.test.ts"],
    // Processes, not threads: native TensorFlow cannot be loaded twice into one process.
    pool: "forks",
    maxWorkers: 2,
    setupFiles: ["./test/support/seed.ts"],
    testTimeout: 240_000,
    hookTimeout: 60_000,
    reporters: ["default", "./test/support/reporter.ts"],
    // Native TensorFlow greets on stderr otherwise.
    env: { TF_CPP_MIN_LOG_LEVEL: "2" },
  },
})
