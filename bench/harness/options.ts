import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { parseArgs, type ParseArgsConfig } from "node:util"

/** Ends a program that was called wrongly: says why, without a stack trace. */
export const complain: (message: string) => never = (message) => {
  console.error(message)
  process.exit(2)
}

/** The comment at the head of a program: it says how the program is called. */
const usage = (url: string): string => {
  const text = readFileSync(fileURLToPath(url), "utf8")
  const comment = /\/\*\*\n([\s\S]*?)\n? \*\//.exec(text)?.[1] ?? ""
  return comment.replaceAll(/^ \* ?/gm, "")
}

/**
 * The options of a program's command line, as `parseArgs` has them. `--help` prints the comment at the program's head; an
 * option that there is not ends the program with that and what was wrong.
 *
 * @param url of the program, import.meta.url
 */
export const options = <const C extends ParseArgsConfig>(
  url: string,
  config: C,
): ReturnType<typeof parseArgs<C>> => {
  if (process.argv.slice(2).includes("--help")) {
    console.log(usage(url))
    process.exit(0)
  }
  try {
    return parseArgs(config)
  } catch (error) {
    if (error instanceof TypeError) complain(`${error.message}\n\n${usage(url)}`)
    throw error
  }
}

/** The numbers of an option's list, such as `0,0.001`; a text that is no number from 0 on ends the program. */
export const numbers = (option: string, list: string): ReadonlyArray<number> =>
  list.split(",").map((text) => {
    const value = Number(text)
    if (text.trim() === "" || !(value >= 0)) complain(`--${option}: ${text} is not a number from 0 on`)
    return value
  })

/** A name that nothing has. */
export class Unknown extends Error {}

/** What the command line names; a name that nothing has (`Unknown`) ends the program. */
export const named = <A>(find: () => A): A => {
  try {
    return find()
  } catch (error) {
    if (error instanceof Unknown) complain(error.message)
    throw error
  }
}
