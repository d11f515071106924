/** How a fit keeps a limit of memory, before it begins. Numbers of bytes are of resident memory, as measured (docs/limits.md). */
import { manyRows } from "../../rank/ManyRows.ts"
import * as Size from "./Size.ts"

/** How a table is read. */
export type Reading =
  /** a text of numbers that is read quickly, a text of anything else, or columns in a binary format */
  "numbers" | "cells" | "packed" | "binary"

/** A table that is known before it is read. */
export interface Table {
  /** of the file, in bytes */
  readonly size: number
  /** about */
  readonly rows: number
  /** 0 where they are not known */
  readonly columns: number
  readonly reading: Reading
}

/** The fit that is asked for. */
export interface Asked {
  /** bytes */
  readonly limit: number
  /** undefined where its size is not known, as that of standard input */
  readonly table: Table | undefined
  /** how it may be read: all at once, in parts, or either */
  readonly ways: "whole" | "parts" | "either"
  /** threads of the search */
  readonly workers: number
}

export interface Plan {
  readonly inParts: boolean
  readonly workers: number
  /** the bytes that the search leaves for the ranking */
  readonly reserve: number
}

/** Of the program itself with the search of a small table in one thread, and of a table that is read in parts. */
const base = { whole: 170e6, parts: 250e6 } as const
/** Of each column, whose expressions and forms a search keeps. */
const column = 150e3
/** Of each further thread. */
const thread = 90e6
/** Bytes for each byte of a file while it is read. */
const each: Readonly<Record<Reading, number>> = { numbers: 3.2, cells: 16, packed: 16, binary: 3.2 }
/** Of a ranking: in any case, for each row of a table of few rows, on which many laws are scored, and for each of many rows, beside a sample. */
const ranking = { least: 15e6, few: 25e3, many: 400, sample: 40e6 } as const

const rankingOf = (rows: number): number =>
  rows > manyRows ? ranking.sample + ranking.many * rows : ranking.few * rows

/** The bytes that a fit of a table needs at least in one thread. */
export const least = (table: Table | undefined, inParts: boolean): number => {
  const { columns = 0, rows = 0, size = 0, reading = "numbers" } = table ?? {}
  const search = column * columns
  return Math.round(
    inParts ? base.parts + search : base.whole + search + each[reading] * size + rankingOf(rows),
  )
}

/** @returns a sentence that says the least that is needed, where the limit is below it */
export const make = ({ limit, table, ways, workers }: Asked): Plan | string => {
  const whole = least(table, false)
  const parts = least(table, true)
  const inParts = ways === "parts" || (ways === "either" && limit < whole && parts < whole)
  const needed = inParts ? parts : whole
  if (limit < needed)
    return `this needs about ${Size.format(needed)} of memory, and --memory gives it ${Size.format(limit)}; give --memory ${Size.format(needed)}${inParts ? "" : ", or fewer rows or columns"}`
  return {
    inParts,
    workers: Math.min(workers, 1 + Math.floor((limit - needed) / thread)),
    reserve: ranking.least + (inParts || table === undefined ? 0 : rankingOf(table.rows)),
  }
}

/** Of a process that does jobs, and of each job of a table of some thousand rows in a thread of its own, as measured. */
const jobs = { base: 110e6, each: 140e6 } as const

/**
 * The number of jobs that a process does at a time within a limit.
 *
 * @param workers as many as are asked for
 * @returns a sentence that says the least that is needed, where the limit is below it
 */
export const jobsAtATime = (limit: number, workers: number): number | string => {
  const least = jobs.base + jobs.each
  if (limit < least)
    return `a job needs about ${Size.format(least)} of memory, and --memory gives it ${Size.format(limit)}; give --memory ${Size.format(least)}`
  return Math.min(workers, Math.floor((limit - jobs.base) / jobs.each))
}
