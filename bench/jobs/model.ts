/** Measurements of the queue, in the file that measure.ts writes. Times are in seconds. */
export interface Statement {
  /** from asking to the answer, with nobody else asking: the median */
  readonly wall: number
  /** of CPU in the program that asks */
  readonly worker: number
  /** of CPU in the server */
  readonly server: number
}

/** Workers that are killed while their threads keep all cores busy, and one that waits for their jobs. Times are in seconds. */
export interface Takeover {
  readonly with: string
  readonly load: number | null
  readonly lease: number
  readonly poll: number
  /** from the death of each worker until another has its job */
  readonly seconds: ReadonlyArray<number>
  /** between two signs of life of workers that were not killed yet: the longest */
  readonly silence: number
  /** signs of life that were seen */
  readonly signs: number
}

export interface Measured {
  readonly with: string
  readonly postgresql: string
  /** programs that wanted a processor when the measurement began */
  readonly load: number
  /** bytes of results, states and data */
  readonly sizes: { readonly result: number; readonly state: number; readonly data: number }
  readonly jobs: number
  readonly statements: {
    /** a job is taken */
    readonly claim: Statement
    /** the same where a million jobs wait */
    readonly claimOfMillion: Statement
    /** none is there to be taken */
    readonly idle: Statement
    readonly stored: Statement
    /** a sign of life */
    readonly keep: Statement
    /** a sign of life with a state */
    readonly keepState: Statement
    readonly end: Statement
  }
  /** jobs that take no time: jobs a second, and CPU a job */
  readonly empty: ReadonlyArray<{
    readonly workers: number
    readonly rate: number
    readonly worker: number
    readonly server: number
  }>
  /** the time to notice a worker that has died, with the usual lease */
  readonly takeover: Takeover
  /** when the fits were timed, which may be after the rest; null where the load was not recorded */
  readonly fitsWith: { readonly with: string; readonly load: number | null }
  /** fits: a worker with a thread for each core */
  readonly fits: ReadonlyArray<{ readonly cores: number; readonly fits: number; readonly rate: number }>
}
