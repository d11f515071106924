/** Laws in workers: the module from which threads build the search of `Law.fit`, from its options. */
import * as Ahead from "../search/Ahead.ts"
import * as Search from "../search/Search.ts"
import * as Law from "./law.ts"

export const restarts = Ahead.serve(import.meta.url, (options: Law.Options, data, start) =>
  Search.algorithm(Law.programOf(data, options), data, { ...options.search, restarts: false }, start),
)
