/** The named laws that are listed; the others are counted. */
const listed = 3

/** The named laws whose form a law has, as a line; none where it has a form of its own. */
export const lines = (names: ReadonlyArray<string> | undefined): ReadonlyArray<string> => {
  if (names === undefined || names.length === 0) return []
  const rest = names.length - listed
  const more = rest > 0 ? ` and ${rest} other named ${rest === 1 ? "law" : "laws"}` : ""
  return [`the form is that of: ${names.slice(0, listed).join(", ")}${more}`]
}
