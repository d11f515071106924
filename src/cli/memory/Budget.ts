import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Workers from "../../workers/Workers.ts"
import { Complaint } from "../Complaint.ts"
import type { Input } from "../FitFlags.ts"
import type { Settings } from "../Fitter.ts"
import * as Format from "../input/Format.ts"
import * as Memory from "../input/Memory.ts"
import * as Rows from "../rows/Rows.ts"
import { Screen } from "../Screen.ts"
import * as Source from "../Source.ts"
import * as Plan from "./Plan.ts"

/** The limit of a fit, and how it is kept. */
export interface Budget extends Plan.Plan {
  /** bytes */
  readonly limit: number
}

/** The bytes at the beginning of a file that say of what kind it is. */
const head = 65_536
/** About the bytes of a row of a format that is not text. */
const row = 64

/** What the beginning of a file says of a table, and whether such a table can be read in parts. */
export const about = (
  begin: Uint8Array,
  size: number,
  {
    data,
    inputFormat,
    decimal,
    ...chosen
  }: Pick<Input, "data" | "inputFormat" | "decimal"> & Pick<Rows.Settings, "where" | "column" | "testColumn">,
): { readonly table: Plan.Table; readonly divisible: boolean } => {
  const format = Format.binary(begin)
  if (Format.isGzip(begin) || format === "parquet")
    return {
      table: { size, rows: size / 16, columns: 0, reading: "packed" },
      divisible: format === "parquet",
    }
  if (format !== undefined)
    return { table: { size, rows: size / row, columns: 0, reading: "binary" }, divisible: false }
  const text = new TextDecoder().decode(begin)
  const [header = "", ...lines] = text.split("\n")
  const rows = size / Math.max(1, begin.length / Math.max(1, lines.length))
  const isJson = (inputFormat ?? Format.ofText(text, data)) === "jsonl"
  const isPlain = lines.every((line) => /^[\d.,;\t eE+\r-]*$/.test(line))
  const reading = isPlain && !isJson && decimal !== "comma" && !Rows.given(chosen) ? "numbers" : "cells"
  const columns = header.split(/[,;\t]/).length - 1
  return { table: { size, rows, columns, reading }, divisible: !isJson && decimal !== "comma" }
}

/**
 * The budget of a fit with `--memory`.
 *
 * @param limit bytes
 * @param inParts whether the other flags suit a table that is read in parts
 * @errors Complaint where the limit is too small, with the least that is needed
 */
export const of = (input: Input, limit: number, inParts: boolean) =>
  Effect.gen(function* () {
    const { data: path, stream } = input
    const files = yield* FileSystem.FileSystem
    const found = path === "-" ? undefined : Option.getOrUndefined(yield* Effect.option(files.stat(path)))
    const size = found?.type === "File" ? Number(found.size) : undefined
    const known = size === undefined ? undefined : about(yield* Source.beginning(path, head), size, input)
    const mayPart = known?.divisible === true && inParts
    const must = stream === "always" || (stream === "auto" && mayPart && Memory.isLarge(size ?? 0))
    const { workers = Workers.cores() } = input
    const plan = Plan.make({
      limit,
      table: known?.table,
      ways: must ? "parts" : stream === "auto" && mayPart ? "either" : "whole",
      workers,
    })
    if (typeof plan === "string")
      return yield* path === "-" ? new Complaint({ message: plan }) : Source.about(path, plan)
    return { ...plan, limit } satisfies Budget
  })

/** Settings with as many threads as there is memory for; a line on standard error says where these are fewer. */
export const within = (asked: Settings, budget: Budget | undefined) =>
  Effect.gen(function* () {
    if (budget === undefined || asked.objective !== "inclusive") return asked
    const { workers = Workers.cores() } = asked
    if (budget.workers < workers)
      (yield* Screen).err(`memory: the search has ${budget.workers} of ${workers} threads\n`)
    return { ...asked, workers: budget.workers }
  })
