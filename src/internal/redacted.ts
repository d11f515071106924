/** Addresses of databases, texts and arguments as others may see them: without passwords. */

const file = "sqlite:"

/** What stands for an address that cannot be taken apart: it may have a password anywhere. */
const unknown = "the database"

/** The address of a database without passwords, and without parameters, among which there may be one. */
export const address = (text: string): string => {
  if (text.startsWith(file)) return text
  if (!URL.canParse(text) || !text.includes("://")) return unknown
  const url = new URL(text)
  // Behind a password with a bare / or #, which ends the part of an address that has it.
  if (`${url.pathname}${url.search}${url.hash}`.includes("@")) return unknown
  url.password = ""
  url.search = ""
  url.hash = ""
  return url.href
}

/** A word with the password of an address in it, if it has one, as `***`: from the colon behind its scheme to the last @. */
const word = (one: string): string => {
  const scheme = one.indexOf("://")
  if (scheme < 0) return one
  const colon = one.indexOf(":", scheme + 3)
  const end = one.lastIndexOf("@")
  const shown = colon < 0 || end < colon ? one : `${one.slice(0, colon)}:***${one.slice(end)}`
  return shown.replace(/([?&][^?&=]*)=[^&]*/g, (parameter, name: string) =>
    /pass/i.test(name) ? `${name}=***` : parameter,
  )
}

/** Any text, such as a message: passwords of addresses in it, and those among their parameters, are `***`. */
export const text = (words: string): string => words.replace(/\S+/g, word)

const flag = "--database-url"

/** The arguments of a command line, for records of it. */
export const args = (given: ReadonlyArray<string>): ReadonlyArray<string> =>
  given.map((one, at) => {
    if (given[at - 1] === flag) return address(one)
    return one.startsWith(`${flag}=`) ? `${flag}=${address(one.slice(flag.length + 1))}` : text(one)
  })
