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

export default defineConfig({
  root: import.meta.dirname,
  // The page works from any path.
  base: "./",
  plugins: [contentSecurityPolicy],
  define: { VERSION: JSON.stringify(version) },
  resolve: {
    alias: { "node:v8": path.join(import.meta.dirname, "src", "engine", "heap.ts") },
    conditions: ["vasst-source", "browser", "module", "import", "default"],
  },
  build: {
    target: "es2023",
    outDir: path.join(import.meta.dirname, "dist"),
    emptyOutDir: true,
    // Every file is a file: the policy allows no data in addresses.
    assetsInlineLimit: 0,
  },
  worker: { format: "es" },
  server: { fs: { allow: [path.join(import.meta.dirname, "..")] } },
})
