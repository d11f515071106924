/** A text with control characters, which names of columns and groups may hold, as JSON writes them: a report keeps its lines, and a terminal its state. */
export const visible = (text: string): string =>
  text.replaceAll(/\p{Cc}/gu, (character) => {
    const escaped = JSON.stringify(character).slice(1, -1)
    return escaped === character ? `\\u${character.codePointAt(0)!.toString(16).padStart(4, "0")}` : escaped
  })
