// The part of js-quantities that is used. It ships no types; declared here as is @tensorflow/tfjs-node.
declare module "js-quantities" {
  interface Quantity {
    readonly scalar: number
    /** base units such as `<meter>`, as often as their power says; `<1>` for none */
    readonly numerator: ReadonlyArray<string>
    readonly denominator: ReadonlyArray<string>
    readonly toBase: () => Quantity
  }
  interface Quantities {
    (amount: number, unit: string): Quantity
    /** names of units, in full */
    readonly getUnits: () => ReadonlyArray<string>
    readonly getAliases: (unit: string) => ReadonlyArray<string>
  }
  const Quantities: Quantities
  export default Quantities
}
