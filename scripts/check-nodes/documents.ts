// The documents of fits with a limit of effort, by name, as one line of JSON: as a program, printed.
import * as Laws from "../../test/fixtures/browser/law.ts"

export const documents = async (): Promise<string> => {
  const found: Record<string, string> = {}
  for (const name of Laws.names) found[name] = await Laws.document(name)
  return JSON.stringify(found)
}

if (import.meta.main ?? process.argv[1] === import.meta.filename) console.log(await documents())
