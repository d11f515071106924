import { appendFileSync, existsSync, mkdirSync, readFileSync, truncateSync } from "node:fs"
import { dirname } from "node:path"
import { gunzipSync } from "node:zlib"

/** The text of a file up to its last newline: what a writer that was stopped left behind is no line. */
const whole = (file: string): string => {
  if (!existsSync(file)) return ""
  const text = (file.endsWith(".gz") ? gunzipSync(readFileSync(file)) : readFileSync(file)).toString("utf8")
  return text.slice(0, text.lastIndexOf("\n") + 1)
}

/** The objects of a file of JSON lines, which may be compressed (`.gz`); none if there is no file. */
export const lines = <A>(file: string): ReadonlyArray<A> =>
  whole(file)
    .split("\n")
    .filter((line) => line !== "")
    .map((line): A => JSON.parse(line))

/** Files of JSON lines that this process has looked at. */
const mended = new Set<string>()

/** Adds a line; the file and its folder are made if they are not there, and a line that was cut off goes. */
export const append = (file: string, value: object): void => {
  if (!mended.has(file)) {
    mkdirSync(dirname(file), { recursive: true })
    if (existsSync(file)) truncateSync(file, Buffer.byteLength(whole(file)))
    mended.add(file)
  }
  appendFileSync(file, `${JSON.stringify(value)}\n`)
}

/** The message of a line; undefined of a line that is none, as one that was cut when the process was killed. */
export const messageOf = <A extends object>(line: string): A | undefined => {
  if (!line.startsWith("{")) return undefined
  try {
    return JSON.parse(line)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
