// Ends the output of `npm test` with one line that people and machines read alike: `N passed, N failed`.
import fs from "node:fs"
import type { Reporter, TestModule } from "vitest/node"

interface Counts {
  passed: number
  failed: number
  skipped: number
}

const count = (modules: ReadonlyArray<TestModule>): Counts => {
  const counts: Counts = { passed: 0, failed: 0, skipped: 0 }
  for (const module of modules) {
    for (const test of module.children.allTests()) {
      const { state } = test.result()
      // A test that was still pending when the run broke off has not passed.
      if (state === "pending") counts.failed += 1
      else counts[state] += 1
    }
    // Errors outside a test: a file that does not load, a suite whose setup throws.
    counts.failed += module.errors().length
    for (const suite of module.children.allSuites()) counts.failed += suite.errors().length
  }
  return counts
}

const line = ({ passed, failed, skipped }: Counts): string =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`

export default class ClosingLine implements Reporter {
  readonly #counts: Counts = { passed: 0, failed: 0, skipped: 0 }

  onInit(): void {
    // At exit, because nothing may follow this line: vitest itself still prints when a worker will not close.
    process.once("exit", (code) => {
      const { failed } = this.#counts
      // Whatever made the run fail is a failure, even if no test was to blame (no tests found, say).
      if (code !== 0 && failed === 0) this.#counts.failed = 1
      fs.writeSync(1, `${line(this.#counts)}\n`)
    })
  }

  onTestRunEnd(modules: ReadonlyArray<TestModule>, unhandledErrors: ReadonlyArray<unknown>): void {
    Object.assign(this.#counts, count(modules))
    this.#counts.failed += unhandledErrors.length
  }
}
