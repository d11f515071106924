import { totalmem } from "node:os"
import { getHeapStatistics } from "node:v8"

/** The most bytes of a text: V8 has no longer ones. */
export const longest = 2 ** 29 - 24

/** The heap that a program needs beside the text of a table. */
const needed = 48 * 2 ** 20
/** Bytes of memory for each byte of a table. */
const share = 1.5

const heap = (): number => getHeapStatistics().heap_size_limit

/** A complaint about a table of this number of bytes, which the memory of this process does not hold; undefined where it does. */
export const complaint = (size: number): string | undefined => {
  const least = Math.ceil((needed + share * size) / 2 ** 20)
  return heap() < least * 2 ** 20
    ? `this needs ${least} MB of memory, and Node has ${Math.floor(heap() / 2 ** 20)} MB; set NODE_OPTIONS=--max-old-space-size=${2 * least}`
    : undefined
}

/** A table of a file that is larger than this share of the machine's memory, or of its container's, is read in parts. */
const large = 1 / 16

/** Whether a file of this number of bytes is read in parts. */
export const isLarge = (size: number): boolean => {
  // 0 where there is no limit; Node 20.16 gives a number beyond all memory.
  const limit = process.constrainedMemory()
  const memory = Math.min(totalmem(), limit > 0 ? limit : Infinity)
  return size > longest || size > large * memory || complaint(size) !== undefined
}

/** A file unpacks to more than this process holds. */
export class TooLarge extends Error {}

/** Memory for the unpacked parts of a file. */
export interface Budget {
  /**
   * Takes bytes before they are unpacked.
   *
   * @throws TooLarge where there are not as many
   */
  readonly take: (bytes: number) => void
}

/** All memory that this process has for tables. */
export const budget = (): Budget => {
  let taken = 0
  return {
    take: (bytes) => {
      taken += bytes
      const wrong = complaint(taken)
      if (wrong !== undefined) throw new TooLarge(wrong)
    },
  }
}
