// Builds the native `tensorflow` backend of tfjs from packages alone: libtensorflow comes out of the
// tensorflow-cpu wheel, the binding out of the C++ sources that @tensorflow/tfjs-node carries. For machines
// where that package's own install script cannot download its prebuilt library.
//
// Plain Node without dependencies, because it also runs on the machine's own Node, before anything is built.
import { spawnSync } from "node:child_process"
import fs from "node:fs"
import { createRequire } from "node:module"
import os from "node:os"
import path from "node:path"
import { fileURLToPath } from "node:url"

const TENSORFLOW = "2.18.1"
const TFJS_NODE = "4.22.0"
const LIBRARIES = ["libtensorflow_cc.so.2", "libtensorflow_framework.so.2"]
/** The wheel has 9,868 headers; the C API reaches only these folders. */
const HEADERS = ["tensorflow/c/", "tensorflow/core/platform/ctstring", "tsl/platform/ctstring", "xla/tsl/c/"]

const compiler = process.env["CXX"] ?? "g++"
const packageRoot = fileURLToPath(new URL("..", import.meta.url))
// As a dependency of another project, vasst lies in that project's node_modules and shares its tree.
const [projectRoot = packageRoot] = packageRoot.split(`${path.sep}node_modules${path.sep}`)
const requireFromHere = createRequire(import.meta.url)

/** @param {string} message */
const say = (message) => console.log(`setup:native  ${message}`)

/** @param {string} message @returns {never} */
const fail = (message) => {
  console.error(`setup:native  ${message}`)
  process.exit(1)
}

/** @param {string} command @param {ReadonlyArray<string>} args */
const works = (command, args) => spawnSync(command, args, { stdio: "ignore" }).status === 0

/**
 * Runs a command, and shows what it printed only if it failed.
 * @param {string} what @param {string} command @param {ReadonlyArray<string>} args @param {string} [cwd]
 */
const run = (what, command, args, cwd = projectRoot) => {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: "utf8" })
  if (status === 0) return
  console.error((error?.message ?? `${stdout}${stderr}`).trim())
  fail(`${what} failed (${command})`)
}

/** Folder of the installed JavaScript half of tfjs-node, if it is installed. */
const tfjsNodeFolder = () => {
  try {
    return path.dirname(requireFromHere.resolve("@tensorflow/tfjs-node/package.json"))
  } catch {
    return undefined
  }
}

/** In a child process: a broken native library may take its process down with it. */
const SMOKE = `
  const util = require("node:util")
  util.isNullOrUndefined = (value) => value === null || value === undefined
  util.isArray = Array.isArray
  const tf = require(process.argv[1])
  const a = tf.tensor2d([1, 2, 3, 4], [2, 2])
  console.log(tf.getBackend() + " " + tf.matMul(a, a).dataSync().join(","))
`

const PRODUCT = "tensorflow 7,10,15,22"

/** @param {string} folder */
const multiply = (folder) => {
  const env = { ...process.env, TF_CPP_MIN_LOG_LEVEL: "2" }
  return spawnSync(process.execPath, ["-e", SMOKE, folder], { env, encoding: "utf8" })
}

/** @param {string | undefined} folder */
const isWorking = (folder) => folder !== undefined && multiply(folder).stdout.includes(PRODUCT)

const installJavaScript = () => {
  say("installing the JavaScript half of @tensorflow/tfjs-node, without its install script")
  // Not saved, but asked for as a dependency: npm installs no optional peer, which it is in package.json.
  const kind = ["--no-save", "--save-prod", "--ignore-scripts", "--loglevel=error"]
  run("npm install", "npm", ["install", ...kind, `@tensorflow/tfjs-node@${TFJS_NODE}`])
  return (
    tfjsNodeFolder() ?? fail("npm installed no @tensorflow/tfjs-node; is it omitted by npm's configuration?")
  )
}

const UNPACK = `
import sys, zipfile
wheel, folder, libraries, headers = sys.argv[1], sys.argv[2], sys.argv[3].split(","), sys.argv[4].split(",")
wanted = ["tensorflow/" + name for name in libraries] + ["tensorflow/include/" + name for name in headers]
with zipfile.ZipFile(wheel) as archive:
    for name in archive.namelist():
        if name.startswith(tuple(wanted)):
            archive.extract(name, folder)
`

/** Downloads and unpacks TensorFlow once per user; later calls find it there. */
const tensorflowFolder = () => {
  const caches = process.env["XDG_CACHE_HOME"] ?? path.join(os.homedir(), ".cache")
  const folder = path.join(caches, "vasst", `tensorflow-cpu-${TENSORFLOW}-linux-x64`)
  if (fs.existsSync(folder)) {
    say(`using TensorFlow ${TENSORFLOW} from ${folder}`)
    return path.join(folder, "tensorflow")
  }
  if (!works("python3", ["--version"]))
    fail("python3 not found; install it (Debian: apt-get install python3)")
  if (!works("python3", ["-m", "pip", "--version"]))
    fail("pip not found; install it (Debian: apt-get install python3-pip)")
  // Unpacked beside its final place and renamed, so that an interrupted run leaves nothing half done.
  const partial = `${folder}.${process.pid}`
  fs.mkdirSync(partial, { recursive: true })
  process.on("exit", () => fs.rmSync(partial, { recursive: true, force: true }))
  say(`downloading TensorFlow ${TENSORFLOW} through pip (230 MB)`)
  const quiet = ["--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary=:all:"]
  const target = ["--python-version", "311", "--platform", "manylinux_2_17_x86_64"]
  const wanted = [`tensorflow-cpu==${TENSORFLOW}`, "--dest", partial]
  run("the download", "python3", ["-m", "pip", "download", ...quiet, ...target, ...wanted])
  const wheel = fs.readdirSync(partial).find((name) => name.endsWith(".whl")) ?? fail("pip left no wheel")
  say(`unpacking it into ${folder}`)
  const unpack = ["-c", UNPACK, path.join(partial, wheel), partial, LIBRARIES.join(","), HEADERS.join(",")]
  run("unpacking", "python3", unpack)
  fs.rmSync(path.join(partial, wheel))
  fs.renameSync(partial, folder)
  return path.join(folder, "tensorflow")
}

/** Headers of Node's C interface, which is the same in every version: any installed copy will do. */
const nodeHeaders = () => {
  const besideNode = path.join(path.dirname(fs.realpathSync(process.execPath)), "..")
  const nodedir = process.env["npm_config_nodedir"]
  const prefixes = [...(nodedir === undefined ? [] : [nodedir]), besideNode, "/usr/local", "/usr"]
  return (
    prefixes
      .map((prefix) => path.join(prefix, "include", "node"))
      .find((folder) => fs.existsSync(path.join(folder, "node_api.h"))) ??
    fail("Node's headers (node_api.h) not found; set npm_config_nodedir to a folder with include/node")
  )
}

/** @param {string} from @param {string} to */
const linkOrCopy = (from, to) => {
  fs.rmSync(to, { force: true })
  try {
    // A hard link costs no disk and outlives a cleaned cache, but cannot cross file systems.
    fs.linkSync(from, to)
  } catch {
    fs.copyFileSync(from, to)
  }
}

/** @param {string} tfjsNode @param {string} tensorflow */
const buildBinding = (tfjsNode, tensorflow) => {
  const libraries = path.join(tfjsNode, "deps", "lib")
  const output = path.join(tfjsNode, "lib", "napi-v8")
  for (const folder of [libraries, output]) fs.mkdirSync(folder, { recursive: true })
  for (const name of LIBRARIES) linkOrCopy(path.join(tensorflow, name), path.join(libraries, name))
  say(`compiling the binding with ${compiler}`)
  const sources = ["tfjs_backend.cc", "tfjs_binding.cc"].map((name) => path.join(tfjsNode, "binding", name))
  const includes = [path.dirname(tfjsNode), path.join(tensorflow, "include"), nodeHeaders()]
  run("compiling", compiler, [
    "-std=c++17",
    "-O2",
    "-fPIC",
    "-shared",
    "-DNAPI_VERSION=8",
    ...includes.map((folder) => `-I${folder}`),
    ...sources,
    `-L${libraries}`,
    ...LIBRARIES.map((name) => `-l:${name}`),
    "-Wl,-rpath,$ORIGIN/../../deps/lib",
    "-o",
    path.join(output, "tfjs_binding.node"),
  ])
}

if (isWorking(tfjsNodeFolder())) {
  say("nothing to do: the tensorflow backend works (2x2 matmul checked)")
  process.exit(0)
}
if (process.platform !== "linux" || process.arch !== "x64")
  fail(`builds on linux-x64 only, this is ${process.platform}-${process.arch}; use the wasm or cpu backend`)

// Before the long download, not after it.
if (!works(compiler, ["--version"]))
  fail(`${compiler} not found; install a C++ compiler (Debian: apt-get install g++)`)

const tfjsNode = tfjsNodeFolder() ?? installJavaScript()
buildBinding(tfjsNode, tensorflowFolder())
const smoke = multiply(tfjsNode)
if (!smoke.stdout.includes(PRODUCT))
  fail(`built, but it does not run: ${smoke.stderr.trim() || `signal ${smoke.signal}`}`)
say("done: the tensorflow backend works (2x2 matmul checked)")
