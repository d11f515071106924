// Type tests that pin the compiler's words. TypeScript 7 has no stable JavaScript interface, so that tools for
// type tests (tstyche) do not load it; this asks the command line, once for all snippets of a test file.
import { spawnSync } from "node:child_process"
import fs from "node:fs"
import path from "node:path"

const root = path.join(import.meta.dirname, "..", "..")

export interface Diagnostic {
  /** `TS2741`, say. */
  readonly code: string
  /** Counted from 1, in the snippet. */
  readonly line: number
  /** The whole message; the lines that explain it keep their indentation. */
  readonly text: string
}

const HEAD = /^(?<file>.+?)\((?<line>\d+),\d+\): error (?<code>TS\d+): (?<text>.*)$/

const parse = (output: string): ReadonlyMap<string, ReadonlyArray<Diagnostic>> => {
  const found = new Map<string, Array<Diagnostic>>()
  let current: { name: string; diagnostic: Diagnostic } | undefined
  const close = () => {
    if (current !== undefined)
      found.set(current.name, [...(found.get(current.name) ?? []), current.diagnostic])
    current = undefined
  }
  for (const text of output.split("\n")) {
    const { file, line, code, text: first } = HEAD.exec(text)?.groups ?? {}
    if (file !== undefined && code !== undefined && first !== undefined) {
      close()
      const diagnostic = { code, line: Number(line), text: first }
      current = { name: path.basename(file, ".ts"), diagnostic }
    } else if (/^\s+\S/.test(text) && current !== undefined) {
      current.diagnostic = { ...current.diagnostic, text: `${current.diagnostic.text}\n${text}` }
    } else close()
  }
  close()
  return found
}

/**
 * Type checks snippets under the project's own compiler options and returns what the compiler says of each.
 *
 * A snippet is a module of its own that imports as users do (`import * as Model from "vasst/prob/Model"`).
 * Only errors in the snippets are returned, not those in what they import. All snippets of a call cost one run
 * of tsc (about a second), so that a test file calls this once.
 *
 * @example
 *   const errors = diagnose({ "a number": `const n: number = ""`, fine: `const n: number = 1` })
 *   errors["a number"] // [{ code: "TS2322", line: 1, text: "Type 'string' is not assignable to type 'number'." }]
 */
export const diagnose = <const Name extends string>(
  snippets: Readonly<Record<Name, string>>,
): Readonly<Record<Name, ReadonlyArray<Diagnostic>>> => {
  const names = Object.keys(snippets) as Array<Name>
  // Inside the repository, where "vasst" and its dependencies resolve; the dot keeps other tools away.
  fs.mkdirSync(path.join(root, ".cache"), { recursive: true })
  const folder = fs.mkdtempSync(path.join(root, ".cache", "types-"))
  try {
    names.forEach((name, index) => {
      // A stray import or export makes no difference to a module, and makes a script one.
      fs.writeFileSync(path.join(folder, `snippet${index}.ts`), `${snippets[name]}\nexport {}\n`)
    })
    const compilerOptions = { noUnusedLocals: false, noUnusedParameters: false }
    const config = { extends: "../../tsconfig.json", compilerOptions, include: ["*.ts"], exclude: [] }
    fs.writeFileSync(path.join(folder, "tsconfig.json"), JSON.stringify(config))
    const tsc = path.join(root, "node_modules", "typescript", "bin", "tsc")
    const run = spawnSync(process.execPath, [tsc, "-p", folder, "--pretty", "false"], {
      encoding: "utf8",
      cwd: folder,
    })
    if (run.error !== undefined) throw run.error
    // Errors without a file are about the configuration, and would make every snippet pass.
    if (/^error TS/m.test(run.stdout)) throw new Error(run.stdout)
    const found = parse(run.stdout)
    return Object.fromEntries(
      names.map((name, index) => [name, found.get(`snippet${index}`) ?? []]),
    ) as Record<Name, ReadonlyArray<Diagnostic>>
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}
