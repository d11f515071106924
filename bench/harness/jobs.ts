/** How many things at a time, and where progress is told. */
export interface Jobs {
  readonly jobs: number
  /** at the head of every line of progress; empty for none */
  readonly title: string
  readonly say: (text: string) => void
}

/**
 * Does things several at a time, in order, and tells after each how many are done and how many minutes are left.
 *
 * @param work gets the number of the processor that it has for itself, from 0, and returns the text that is told
 */
export const each = async <A>(
  list: ReadonlyArray<A>,
  { jobs, title, say }: Jobs,
  work: (one: A, slot: number) => Promise<string>,
): Promise<void> => {
  const started = performance.now()
  let next = 0
  let finished = 0
  const go = async (_: unknown, slot: number): Promise<void> => {
    for (let one = list[next++]; one !== undefined; one = list[next++]) {
      const told = await work(one, slot)
      finished += 1
      const left = (((performance.now() - started) / finished) * (list.length - finished)) / 60_000
      say(
        `${title === "" ? "" : `${title} `}${finished}/${list.length} (${left.toFixed(1)} min left) ${told}`,
      )
    }
  }
  await Promise.all(Array.from({ length: Math.min(jobs, list.length) }, go))
}
