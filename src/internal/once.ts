/** Works a value out when first asked for. */
export const once = <A>(evaluate: () => A): (() => A) => {
  let known: { readonly value: A } | undefined
  return () => (known ??= { value: evaluate() }).value
}

/** A record whose properties are each worked out when first read. */
export const lazy = <T extends object>(properties: { readonly [K in keyof T]: () => T[K] }): T =>
  // Each property is that of T, as its function says.
  Object.defineProperties(
    {},
    Object.fromEntries(
      Object.entries<() => unknown>(properties).map(([name, evaluate]) => [
        name,
        { get: once(evaluate), enumerable: true, configurable: true },
      ]),
    ),
  ) as T
