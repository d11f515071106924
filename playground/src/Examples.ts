import adsorption from "../data/adsorption.csv?url"
import boyle from "../../examples/data/boyle.csv?url"
import enzyme from "../data/enzyme.csv?url"
import mercury from "../data/mercury.csv?url"
import planets from "../../examples/data/planets.csv?url"
import trees from "../data/trees.csv?url"

/** A table that comes with the page. */
export interface Example {
  readonly name: string
  readonly title: string
  readonly about: string
  readonly source: string
  readonly target: string
  readonly url: string
}

/** The tables that come with the page; the first is its demonstration. */
export const examples: readonly [Example, ...ReadonlyArray<Example>] = [
  {
    name: "planets",
    title: "The planets",
    about: "Periods of nine bodies around the Sun, with four columns that may or may not matter.",
    source: "NASA's planetary fact sheets, orbital elements at J2000",
    target: "period",
    url: planets,
  },
  {
    name: "boyle",
    title: "Boyle's air",
    about: "The pressure of air that is shut in a bent glass tube, by its volume.",
    source: "Robert Boyle, A Defence of the Doctrine Touching the Spring and Weight of the Air, 1662",
    target: "pressure",
    url: boyle,
  },
  {
    name: "mercury",
    title: "Mercury vapour",
    about: "Vapour pressure in mm of mercury by the temperature in °C, over seven decades.",
    source: "Handbook of Chemistry and Physics, 1973 (pressure in R)",
    target: "pressure",
    url: mercury,
  },
  {
    name: "trees",
    title: "Timber, with units",
    about:
      "The volume of cherry trees by diameter and height; laws are consistent in the units of the header.",
    source: "H. Meyer, Forest Mensuration, 1953 (trees in R)",
    target: "volume",
    url: trees,
  },
  {
    name: "enzyme",
    title: "An enzyme",
    about: "The rate of a reaction by the concentration of its substrate, measured twice each.",
    source: "M. Treloar 1974, in Bates and Watts 1988 (Puromycin in R)",
    target: "rate",
    url: enzyme,
  },
  {
    name: "adsorption",
    title: "Adsorption",
    about: "The volume of gas on a surface by the pressure; several forms fit nearly alike.",
    source: "D. Misra 1978, Misra1a of NIST's reference data sets",
    target: "volume",
    url: adsorption,
  },
]

/** The example of a name. */
export const named = (name: string | undefined): Example | undefined =>
  examples.find((one) => one.name === name)
