/** Bytes of units of memory. */
const units: Readonly<Record<string, number>> = {
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
  tib: 2 ** 40,
}

/** The bytes of a text such as `500MB`, `1.5GiB` or `2 gb`; undefined for any other text. */
export const parse = (text: string): number | undefined => {
  const [, number, unit] = /^\s*(\d+\.?\d*|\.\d+)\s*([kmgt]i?b)\s*$/i.exec(text) ?? []
  const bytes = Number(number) * (units[unit?.toLowerCase() ?? ""] ?? Number.NaN)
  return bytes > 0 && bytes <= Number.MAX_SAFE_INTEGER ? Math.floor(bytes) : undefined
}

/** A number of bytes in whole MB, never less than it is: `312MB`, as `--memory` takes it. */
export const format = (bytes: number): string => `${Math.ceil(bytes / 1e6)}MB`
