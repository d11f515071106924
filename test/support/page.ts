// Runs the code of a page of the documentation: its `ts` blocks, joined in order, as one program in a process of its own.
import { execFile } from "node:child_process"
import fs from "node:fs"
import path from "node:path"
import { promisify } from "node:util"

const root = path.join(import.meta.dirname, "..", "..")

/** The `ts` blocks of a page that belong to its own program: those that do not begin with the name of a file. */
const program = (page: string): string =>
  [...fs.readFileSync(path.join(root, page), "utf8").matchAll(/^```ts\n([\s\S]*?)^```$/gm)]
    .map(([, code = ""]) => code)
    .filter((code) => !/^\/\/ \w+\.ts$/m.test(code.split("\n", 1)[0]!))
    .join("\n")

/** What the code of a page prints. Fails with what it says on stderr when it does not exit with 0. */
export const ran = async (page: string): Promise<string> => {
  // Inside the repository, where "vasst" and its dependencies resolve.
  fs.mkdirSync(path.join(root, ".cache"), { recursive: true })
  const folder = fs.mkdtempSync(path.join(root, ".cache", "page-"))
  try {
    const file = path.join(folder, "page.ts")
    fs.writeFileSync(file, program(page))
    const flags = ["--conditions=vasst-source", "--disable-warning=ExperimentalWarning"]
    const { stdout } = await promisify(execFile)(process.execPath, [...flags, file], {
      cwd: root,
      timeout: 120_000,
    })
    return stdout
  } finally {
    fs.rmSync(folder, { recursive: true })
  }
}
