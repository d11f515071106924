// A table whose search takes long enough to be killed within it, and goes on with the same bytes.
import * as Rng from "../../src/random/Rng.ts"

/** 60 rows of two features `a` and `b`, and `y` with a little noise, as CSV. */
export const csv = (): string => {
  const random = Rng.generator(Rng.fold(Rng.key(1), "table"))
  const rows = Array.from({ length: 60 }, () => {
    const [a, b] = [1 + 3 * random.next(), 1 + 3 * random.next()]
    return [a, b, Math.sqrt(a * a + b) * Math.sin(b) + 0.1 * (random.next() - 0.5)].join()
  })
  return `a,b,y\n${rows.join("\n")}\n`
}
