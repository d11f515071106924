/** Text of a page that is markup; every other text is escaped where it is put into markup. */
export interface Html {
  readonly _tag: "Html"
  readonly text: string
}

/** Values that may stand in a template: texts and numbers are escaped, markup stays, lists are joined, undefined is nothing. */
export type Part = Html | string | number | undefined | ReadonlyArray<Part>

const entities: { readonly [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
}

/** A text without meaning as markup: characters of markup as entities, control characters as pictures of them. */
export const escape = (text: string): string =>
  text
    .replaceAll(/[&<>"']/g, (character) => entities[character]!)
    // U+2400 has the pictures of control characters; a line's end stays.
    .replaceAll(/(?![\t\n])\p{Cc}/gu, (character) => {
      const code = character.codePointAt(0)!
      return String.fromCodePoint(code < 32 ? 0x2400 + code : code === 127 ? 0x2421 : 0xfffd)
    })

/** Markup that a trusted writer has made. */
export const markup = (text: string): Html => ({ _tag: "Html", text })

const textOf = (part: Part): string => {
  if (part === undefined) return ""
  if (typeof part === "string" || typeof part === "number") return escape(String(part))
  // An array is no markup: `Part` has no other kind.
  return "_tag" in part ? part.text : part.map(textOf).join("")
}

export const html = (strings: TemplateStringsArray, ...parts: ReadonlyArray<Part>): Html =>
  markup(strings.map((text, place) => text + textOf(parts[place])).join(""))

/** The longest name that is shown in full. */
const longest = 48

/** A name as it is shown: a long one without its middle, no character split. */
export const shortened = (name: string, most: number = longest): string => {
  // Of a name of a megabyte only the ends are looked at.
  const [head, tail] = [Array.from(name.slice(0, 2 * most)), Array.from(name.slice(-2 * most))]
  if (name.length <= most || Array.from(name.slice(0, 4 * most)).length <= most) return name
  return `${head.slice(0, Math.ceil(most / 2)).join("")}…${tail.slice(-Math.floor(most / 2 - 1)).join("")}`
}

/** A name of the user's in a sentence: its direction does not turn what stands beside it. */
export const name = (text: string): Html => html`<bdi class="name">${shortened(text)}</bdi>`

/** Whether a cell can head a row: checkers of pages find no text in a formula. */
const heads = (part: Part): boolean => !textOf(part).includes('class="katex"')

/** A table with its rows; the first column heads each row. */
export const table = (
  caption: Part,
  head: ReadonlyArray<Part>,
  rows: ReadonlyArray<ReadonlyArray<Part>>,
): Html =>
  html`<div class="scroll" tabindex="0" role="group" aria-label="table">
    <table>
      <caption>
        ${caption}
      </caption>
      <thead>
        <tr>
          ${head.map((one) => html`<th scope="col">${one}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ([first, ...rest]) =>
            html`<tr>
              ${heads(first) ? html`<th scope="row">${first}</th>` : html`<td class="text">${first}</td>`}
              ${rest.map((one) => html`<td>${one}</td>`)}
            </tr> `,
        )}
      </tbody>
    </table>
  </div>`

/** A part of a page that opens on request, below a picture. */
export const details = (summary: Part, body: Part): Html =>
  html`<details>
    <summary>${summary}</summary>
    ${body}
  </details>`
