import fs from "node:fs"
import path from "node:path"
import { defineConfig, type Plugin } from "vite"

// The manifest is the repository's own.
const { version } = JSON.parse(
  fs.readFileSync(path.join(import.meta.dirname, "..", "package.json"), "utf8"),
) as {
  readonly version: string
}

/** What the page may load: its own files, and the kernels that it generates. Nothing can be sent anywhere else. */
export const policy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ")

/** The policy as the first element of the built page. Vite's own page for development needs styles in the page. */
const contentSecurityPolicy: Plugin = {
  name: "content security policy",
  apply: "build",
  transformIndexHtml: () => [
    {
      tag: "meta",
      attrs: { "http-equiv": "Content-Security-Policy", content: policy },
      injectTo: "head-prepend",
    },
  ],
}

/** In place of `node:v8`, which readers ask for the memory that there is: a page has 2 GB at most, whatever the machine has. */
const memory: Plugin = {
  name: "memory of a page",
  enforce: "pre",
  resolveId: (id) => (id === "node:v8" ? "\0memory" : null),
  load: (id) =>
    id === "\0memory" ? "export const getHeapStatistics = () => ({ heap_size_limit: 2 ** 31 })" : null,
}

export default defineConfig({
  root: import.meta.dirname,
  // The page works from any path.
  base: "./",
  plugins: [contentSecurityPolicy, memory],
  define: { VERSION: JSON.stringify(version) },
  resolve: { conditions: ["vasst-source", "browser", "module", "import", "default"] },
  build: {
    target: "es2023",
    outDir: path.join(import.meta.dirname, "dist"),
    emptyOutDir: true,
    // Every file is a file: the policy allows no data in addresses.
    assetsInlineLimit: 0,
  },
  worker: { format: "es", plugins: () => [memory] },
  server: { fs: { allow: [path.join(import.meta.dirname, "..")] } },
})
