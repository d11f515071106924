// Runs on disks of the system that are full, or that cannot be written to: of a size of its own, in a mount namespace of its own, since
// permissions do not stop who is root.
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as Rng from "../../src/random/Rng.ts"

/** How a process may mount: as root, or as one that is root of nothing but its own namespaces. */
const ways = [
  ["unshare", "-m"],
  ["unshare", "-rm"],
].filter(([program = "", flag = ""]) => {
  const { status } = spawnSync(program, [flag, "mount", "-t", "tmpfs", "tmpfs", tmpdir()])
  return status === 0
})

let folder = ""
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "vasst-disks-"))
  const random = Rng.generator(Rng.fold(Rng.key(1), "table"))
  const rows = Array.from({ length: 60 }, () => {
    const [a, b] = [1 + 3 * random.next(), 1 + 3 * random.next()]
    return [a, b, Math.sqrt(a * a + b) * Math.sin(b) + 0.1 * (random.next() - 0.5)].join()
  })
  writeFileSync(join(folder, "data.csv"), `a,b,y\n${rows.join("\n")}\n`)
})
afterAll(() => rmSync(folder, { recursive: true }))

/** What a script of bash says, on a new disk of 20 MB at $disk; `fit` and `resume` are those of vasst. */
const onDisk = (script: string): { readonly stdout: string; readonly stderr: string } => {
  const [[program = "", flag = ""] = []] = ways
  const preamble = `
    mkdir -p "$folder/disk"; disk="$folder/disk"
    mount -t tmpfs -o size=20m tmpfs "$disk" || exit 9
    vasst() { "$node" --disable-warning=ExperimentalWarning src/cli/main.ts "$@"; }
    fit() { vasst fit "$folder/data.csv" --target y --effort "$1" --workers 1 "\${@:2}"; }`
  const { stdout, stderr, status } = spawnSync(program, [flag, "bash", "-c", `${preamble}\n${script}`], {
    env: { ...process.env, folder, node: process.execPath },
    encoding: "utf8",
  })
  expect(status).toBe(0)
  return { stdout, stderr: stderr.replaceAll(`${folder}/`, "").replaceAll("backend: simd\n", "") }
}

describe.skipIf(ways.length === 0)("a disk that cannot be written to", () => {
  it("is named, for --run, --out and resume, and the state on it stays", () => {
    const { stdout, stderr } = onDisk(`
      fit 500 --run "$disk/run" > /dev/null; sum=$(cat "$disk"/run/* | sha256sum)
      mount -o remount,ro "$disk"
      fit 500 --run "$disk/other"; echo $?
      fit 500 --out "$disk/run" --overwrite; echo $?
      vasst resume "$disk/run"; echo $?
      [[ "$(cat "$disk"/run/* | sha256sum)" == "$sum" ]]`)
    const cannot = "cannot write here: the file system cannot be written to\n"
    expect(stderr.split(/^vasst: /m).slice(1)).toEqual([
      `disk/other: ${cannot}`,
      expect.stringMatching(/^disk\/run.*: cannot write here: the file system cannot be written to\n$/),
      `disk/run: ${cannot}`,
    ])
    expect(stdout.match(/^1$/gm)).toHaveLength(3)
  })
})

describe.skipIf(ways.length === 0)("a disk that is full", () => {
  it("is named, and nothing is left on it that stands in the way of the next run", () => {
    const { stdout, stderr } = onDisk(`
      dd if=/dev/zero of="$disk/fill" bs=1k count=30000 2> /dev/null
      fit 500 --run "$disk/run"; echo $?
      rm "$disk/fill"
      fit 500 --run "$disk/run" > /dev/null; echo $?`)
    expect([stdout, stderr]).toEqual([
      "1\n0\n",
      "vasst: disk/run: cannot write here: no space left on the device\n",
    ])
  })

  it("while a run goes on, ends it with its laws shown; with room it goes on to the same bytes", () => {
    const { stdout, stderr } = onDisk(`
      fit 60000 --out "$folder/plain" > /dev/null
      fit 60000 --run "$disk/run" --every 0.1 > "$folder/shown" & running=$!
      until compgen -G "$disk/run/*.state" > /dev/null; do sleep 0.02; done
      dd if=/dev/zero of="$disk/fill" bs=1k count=30000 2> /dev/null
      wait $running; echo $?
      grep -c rank "$folder/shown"
      rm "$disk/fill"
      vasst resume "$disk/run" > /dev/null; echo $?
      for file in fit.json models.csv report.txt; do cmp "$disk/run/$file" "$folder/plain/$file"; done`)
    expect(stdout).toBe("1\n1\n0\n")
    expect(stderr).toMatch(
      /^(disk\/run\/search\.[01]\.state: the state cannot be kept: no space left on the device\n)*vasst: disk\/run\/?\S*: cannot write here: no space left on the device\n$/,
    )
  })
})
