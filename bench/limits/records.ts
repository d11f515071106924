/** What is recorded for the page of limits, and where. */
const results = new URL("../results/limits/", import.meta.url)

/** `vasst fit` with a limit of time: one line of time.jsonl. */
export interface Timed {
  readonly table: string
  readonly rows: number
  readonly features: number
  /** seconds */
  readonly limit: number
  /** the number of runs */
  readonly runs: number
  /** wall time of the command in seconds: of the middle run, and the most */
  readonly seconds: number
  readonly most: number
  /** seconds of processors, of the middle run */
  readonly cpu: number
  /** peak resident memory in MiB, of the middle run */
  readonly megabytes: number
  /** the best law of the middle run, as the program prints it */
  readonly law: string
  /** programs that ran or waited for a processor at the end, over a minute, this one included */
  readonly load: number
  /** version, commit, Node and processor */
  readonly by: string
}
export const timesFile = new URL("time.jsonl", results)
