/** What a schema says of a value that it refuses, in one line: the reason, and the names that lead to the part. */
export const oneLine = ({ message }: { readonly message: string }): string =>
  message.replaceAll(/\s+/g, " ").trim()
