// The documents of fits with a limit of effort, by name, as one line of JSON: as a program, printed. With 1, 2 and 7 threads they are the same.
import * as Laws from "../../test/fixtures/browser/law.ts"

export const documents = async (): Promise<string> => {
  const found: Record<string, string> = {}
  for (const name of Laws.names) {
    const alone = await Laws.document(name, 1)
    for (const workers of [2, 7])
      if ((await Laws.document(name, workers)) !== alone)
        throw new Error(`${name} is another document with ${workers} threads than with one`)
    found[name] = alone
  }
  return JSON.stringify(found)
}

if (import.meta.main ?? process.argv[1] === import.meta.filename) console.log(await documents())
