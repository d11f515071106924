/**
 * Workers and their database as a queueing network, event by event. Workers take jobs, give signs of life, and end jobs; a statement
 * needs a processor of the server, and, where it writes, a flush of the log to the disk. Statements wait for a processor in order; one flush
 * runs at a time and takes all that wait for it along (group commit). Times are in seconds.
 */

/** A statement: what it takes of the server. */
export interface Work {
  readonly cpu: number
  /** bytes that the log gets; 0 where nothing is written, and no flush is waited for */
  readonly bytes: number
}

export interface Network {
  readonly workers: number
  readonly jobs: number
  /** mean time that a job takes its worker; single times have an exponential distribution */
  readonly work: number
  /** time between two signs of life */
  readonly sign: number
  /** processors of the server */
  readonly cores: number
  /** whether the workers' own part of statements needs these processors, too: all on one machine */
  readonly shared: boolean
  /** of a flush, without its bytes */
  readonly flush: number
  /** bytes that the log takes in a second */
  readonly bandwidth: number
  /** there and back, for each statement */
  readonly network: number
  /** CPU that a worker spends on a job beside its work */
  readonly own: number
  readonly claim: Work
  readonly stored: Work
  /** a sign of life */
  readonly keep: Work
  /** the same with a state */
  readonly keepState: Work
  /** signs of life of which one carries a state */
  readonly signs: number
  readonly end: Work
  /** uniform from 0 to 1 */
  readonly random: () => number
}

export interface Found {
  readonly seconds: number
  /** jobs a second */
  readonly rate: number
  /** shares of the time that the processors of the server, and its disk, are busy */
  readonly cpu: number
  readonly disk: number
  /** mean time between the end of a worker's work and the begin of its next: what a job costs beside its work */
  readonly pause: number
}

/** Events in the order of their times: a binary heap. */
class EventQueue {
  private readonly times: Array<number> = []
  private readonly acts: Array<() => void> = []

  get empty(): boolean {
    return this.times.length === 0
  }

  add(time: number, act: () => void): void {
    let at = this.times.length
    this.times.push(time)
    this.acts.push(act)
    while (at > 0) {
      const up = (at - 1) >> 1
      if (this.times[up]! <= time) break
      this.times[at] = this.times[up]!
      this.acts[at] = this.acts[up]!
      at = up
    }
    this.times[at] = time
    this.acts[at] = act
  }

  take(): readonly [number, () => void] {
    const first = [this.times[0]!, this.acts[0]!] as const
    const time = this.times.pop()!
    const act = this.acts.pop()!
    const length = this.times.length
    let at = 0
    for (let left = 1; left < length; left = 2 * at + 1) {
      const down = left + 1 < length && this.times[left + 1]! < this.times[left]! ? left + 1 : left
      if (this.times[down]! >= time) break
      this.times[at] = this.times[down]!
      this.acts[at] = this.acts[down]!
      at = down
    }
    if (length > 0) {
      this.times[at] = time
      this.acts[at] = act
    }
    return first
  }
}

/** Runs the network until the last job has been taken: what follows is waiting for those that take longest. */
export const simulate = (network: Network): Found => {
  const { workers, work, sign, cores, shared, flush, bandwidth, own, random } = network
  const events = new EventQueue()
  let now = 0
  const after = (seconds: number, act: () => void): void => events.add(now + seconds, act)

  let [idle, cpu, disk] = [cores, 0, 0]
  const waiting: Array<() => void> = []
  let head = 0
  const processor = (seconds: number, then: () => void): void => {
    const begin = (): void => {
      cpu += seconds
      after(seconds, () => {
        const next = waiting[head]
        if (next === undefined) idle++
        else {
          head++
          if (head > 10_000) {
            waiting.splice(0, head)
            head = 0
          }
          next()
        }
        then()
      })
    }
    if (idle > 0) {
      idle--
      begin()
    } else waiting.push(begin)
  }

  let [flushing, size]: [boolean, number] = [false, 0]
  let group: Array<() => void> = []
  const write = (): void => {
    if (flushing || group.length === 0) return
    const taken = group
    const seconds = flush + size / bandwidth
    group = []
    size = 0
    flushing = true
    after(seconds, () => {
      disk += seconds
      flushing = false
      for (const act of taken) act()
      write()
    })
  }
  const statement = ({ cpu: seconds, bytes }: Work, then: () => void): void =>
    after(network.network, () =>
      processor(seconds, () => {
        if (bytes === 0) return then()
        group.push(then)
        size += bytes
        write()
      }),
    )
  const ownPart = (then: () => void): void => (shared ? processor(own, then) : after(own, then))

  let [left, ended, pauses] = [network.jobs, 0, 0]
  const worker = (asked: number): void => {
    if (left === 0) return
    left--
    statement(network.claim, () =>
      statement(network.stored, () => {
        if (asked >= 0) pauses += now - asked
        const until = now - work * Math.log(1 - random())
        const live = (sent: number): void => {
          if (now + sign >= until) {
            events.add(until, () => {
              const done = now
              ownPart(() =>
                statement(network.end, () => {
                  ended++
                  worker(done)
                }),
              )
            })
          } else
            after(sign, () => {
              statement(sent % network.signs === 0 ? network.keepState : network.keep, () => undefined)
              live(sent + 1)
            })
        }
        // The first state is there with the last sign of the first lease.
        live(1)
      }),
    )
  }
  // They are not started in the same moment.
  for (let k = 0; k < workers; k++) events.add(random() * Math.min(work, 1), () => worker(-1))
  while (!events.empty) {
    // Workers take jobs as events happen.
    if (left === 0) break
    const [time, act] = events.take()
    now = time
    act()
  }
  return {
    seconds: now,
    rate: ended / now,
    cpu: cpu / (cores * now),
    disk: disk / now,
    pause: pauses / Math.max(1, ended - workers),
  }
}
