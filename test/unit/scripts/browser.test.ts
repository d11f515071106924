import { builtinModules } from "node:module"
import vm from "node:vm"
import { expect, it } from "vitest"
import { script, site } from "../../../scripts/browser/bundle.mjs"
import { fit, type Outcome } from "../../fixtures/browser/fit.ts"
import { read } from "../../fixtures/browser/table.ts"

// The library where there is nothing of Node: bundled as for a browser, in a realm that has the globals of browsers
// only. `scripts/browser-check.mjs` does the same in a real one.

/** Of what browsers have, all that a bundle may use. */
const web =
  `performance console setTimeout clearTimeout setInterval clearInterval queueMicrotask MessageChannel
  TextEncoder TextDecoder URL URLSearchParams AbortController AbortSignal structuredClone crypto fetch Headers Request
  Response FormData Blob File ReadableStream WritableStream TransformStream Event EventTarget WebSocket`.split(
    /\s+/,
  )

const entry = "test/fixtures/browser/fit.ts"

it("a fit on simd needs neither Node nor tfjs", async () => {
  const { code, needed, onDemand } = await script(entry, "library")
  // What it needs to start, and what no fit on simd asks for.
  expect(needed).toEqual([])
  expect(onDemand).toContain("@tensorflow/tfjs-core")
  const required = [...code.matchAll(/(?:^|[^.\w])require\(["'](.*?)["']\)/g)].map(([, id]) => id)
  expect(required.filter((id) => builtinModules.includes(id!.replace("node:", "")))).toEqual([])

  const realm = vm.createContext(Object.fromEntries(web.map((name) => [name, Reflect.get(globalThis, name)])))
  expect(vm.runInContext("typeof process + typeof Buffer + typeof setImmediate", realm)).toBe(
    "undefined".repeat(3),
  )
  vm.runInContext(code, realm)
  // The bundle leaves the fixture's exports there.
  const library = vm.runInContext("library", realm) as { readonly fit: typeof fit }
  const outcome = ({ elbo, best, lmpse }: Outcome) => ({ elbo: [...elbo], best, lmpse })
  expect(outcome(await library.fit(100))).toEqual(outcome(await fit(100)))
})

it("tables are read as in Node, with the same complaints", async () => {
  const { code, needed } = await script("test/fixtures/browser/table.ts", "library", (id) =>
    /csv-parse|Csv\.ts/.test(String(id)),
  )
  expect(needed).toEqual([])
  const realm = vm.createContext(Object.fromEntries(web.map((name) => [name, Reflect.get(globalThis, name)])))
  vm.runInContext(code, realm)
  // The bundle leaves the fixture's exports there.
  const library = vm.runInContext("library", realm) as { readonly read: typeof read }
  const texts = [
    "a,y\n1,2\n3,5\n",
    'a, "the y [kg]"\r\n"1",2\r\n 3 ,5\r\n',
    "\uFEFFa;y\n1;2\n\n3;5\n;\n",
    'a,y\n1,"2\n3,5\n',
    'a,y\n1,2"2\n3,5\n',
    'a,y\n1,"x ü"\n3,5\n',
    "a,y\n1,2\n3, 5,6\n",
    "a,y \n1,\n3,5\n",
    "",
  ]
  for (const text of texts) {
    const here = await read(text)
    expect({ text, ...(await library.read(text)) }).toEqual({ text, ...here })
  }
  expect((await read(texts[3]!)).complaint).toBe('row 1 has a quote that is never closed; add the missing "')
  expect((await read(texts[1]!)).y).toEqual([2, 5])
})

it("bundlers take the library as it is, and leave tfjs for later", async () => {
  const { files, start, sources } = await site(entry)
  expect(sources.filter((file) => /@tensorflow|csv-parse|platform-node|node:/.test(file))).toEqual([])
  expect(sources.some((file) => file.endsWith("simd/engine.ts"))).toBe(true)
  expect(Object.keys(files).length).toBeGreaterThan(start.length)
})
