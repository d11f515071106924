const greek = new Set(
  (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon phi chi psi " +
    "omega hbar Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega"
  ).split(" "),
)

const textEscapes: { readonly [character: string]: string } = {
  "\\": "\\textbackslash{}",
  "~": "\\textasciitilde{}",
  "^": "\\textasciicircum{}",
}

const escapeText = (text: string): string =>
  text.replace(/[\\~^{}$&#_%]/g, (character) => textEscapes[character] ?? `\\${character}`)

/** The name of an operator, upright. */
export const operatorName = (name: string): string =>
  /^[\p{L}\d]+$/u.test(name) ? name : `\\text{${escapeText(name)}}`

const symbol = (word: string): string => {
  if (greek.has(word)) return `\\${word}`
  if (/^(?:\p{L}|\d+)$/u.test(word)) return word
  return /^[\p{L}\d]+$/u.test(word) ? `\\mathrm{${word}}` : `\\text{${escapeText(word)}}`
}

/**
 * A variable's name in math mode: Greek letters by name; the part after an underscore, or a final number, as subscript,
 * longer words upright. `x0` is x_{0}, `theta_max` is \theta_{\mathrm{max}}, `mass (kg)` is \text{mass (kg)}. A name of
 * several words, such as `semi_major_axis`, is no symbol with subscripts: it stays as it is. `2` is \text{“2”}, which is no number.
 */
export const latexName = (name: string): string => {
  // A name such as 2, 1.5 or 1e5 would be read as a number.
  if (/^[-+]?\.?\d[\p{L}\d_.]*$/u.test(name)) return `\\text{\u201c${escapeText(name)}\u201d}`
  const numbered = /^(\p{L}+)(\d+)$/u.exec(name)
  const [base = "", ...subscripts] = numbered ? numbered.slice(1) : name.split("_")
  const words = [base, ...subscripts].filter(
    (part) => part.length > 1 && !greek.has(part) && !/^\d+$/.test(part),
  )
  const split =
    subscripts.length > 0 &&
    words.length < 2 &&
    [base, ...subscripts].every((part) => /^[\p{L}\d]+$/u.test(part))
  return split ? `${symbol(base)}_{${subscripts.map(symbol).join(",")}}` : symbol(name)
}
