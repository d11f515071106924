/** A name, with a prime for each time that others have it. */
export const untaken = (name: string, taken: ReadonlyArray<string>): string =>
  taken.includes(name) ? untaken(`${name}'`, taken) : name
