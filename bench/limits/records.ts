/** The records of the page of limits, and their place. */
const results = new URL("../results/limits/", import.meta.url)

/** `vasst fit` with a limit of time: one line of time.jsonl. */
export interface Timed {
  readonly table: string
  readonly rows: number
  readonly features: number
  /** options beside the limit; none if left out */
  readonly options?: string
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

/** `vasst fit` with a limit of memory: one line of memory.jsonl. */
export interface Bounded {
  readonly table: string
  readonly rows: number
  readonly features: number
  /** bytes */
  readonly limit: number
  /** `--stream` */
  readonly stream: "auto" | "never"
  readonly effort: number
  /** bytes: the peak of resident memory, as the process tells it */
  readonly peak: number
  /** the same as the system tells it to the parent process */
  readonly seen: number
  /** the same as `peak` without a limit */
  readonly without: number
  readonly seconds: number
  readonly cpu: number
  /** what happened: the law is that without a limit or not, memory ended the search, or the sentence of the refusal */
  readonly outcome: "the same" | "other" | "cut off" | "refused"
  readonly law: string
  readonly inParts: boolean
  readonly by: string
}
export const memoryFile = new URL("memory.jsonl", results)

/** `vasst fit` on a table that is hard: one line of stress.jsonl. */
export interface Stressed {
  readonly name: string
  /** as the program prints them: the law, and the lines below it */
  readonly law: string
  readonly lines: ReadonlyArray<string>
  /** among the models */
  readonly probability: string
  readonly cpu: number
  readonly seconds: number
  /** bytes: the peak of resident memory */
  readonly peak: number
  readonly by: string
}
export const stressFile = new URL("stress.jsonl", results)

/** `vasst fit --stream always` on a file of `bench/large/generate.ts`: one line of large.jsonl, by hand. */
export interface Large {
  readonly rows: number
  readonly features: number
  /** of the file */
  readonly bytes: number
  readonly effort: number
  readonly passes: number
  /** rows of the sample */
  readonly sample: number
  readonly seconds: number
  readonly cpu: number
  /** bytes: the peak of resident memory */
  readonly peak: number
  readonly law: string
  readonly logPosterior: number
  readonly rmse: number
  /** nats that terms which the law lacks would add, as the command says */
  readonly lacking: number
  readonly by: string
}
export const largeFile = new URL("large.jsonl", results)

/** `npm run soak -- --record`: one line of soak.jsonl, of a run with V8's compilers and of one without. */
/** How limits were kept. */
export interface Kept {
  readonly runs: number
  readonly kept: number
  /** the largest share of a limit that a run took */
  readonly most: number
}

export interface Soaked {
  readonly interpreted: boolean
  readonly minutes: number
  readonly rounds: number
  /** what a round does */
  readonly tasks: ReadonlyArray<string>
  /** amounts of memory after the warm-up, in MB: the median, their growth, and their growth in an hour */
  readonly growths: ReadonlyArray<{
    readonly name: string
    readonly median: number
    readonly grown: number
    readonly hourly: number
  }>
  /** the amounts that are not flat, a sentence each */
  readonly complaints: ReadonlyArray<string>
  /** of runs with a limit of time, which may take 5 % more */
  readonly time: Kept
  /** of processes with a limit of memory, which may take 10 % more; undefined in records from before there were any */
  readonly memory?: Kept | undefined
  /** programs that ran or waited for a processor at the end, over a minute, this one included */
  readonly load: number
  readonly by: string
}
export const soakFile = new URL("soak.jsonl", results)
