/** Works a value out when first asked for. */
export const once = <A>(evaluate: () => A): (() => A) => {
  let known: { readonly value: A } | undefined
  return () => (known ??= { value: evaluate() }).value
}
