/** Above this number of rows a sample of rows preselects the ensembles that are scored on all rows. */
export const manyRows = 20_000

/** Up to this number of rows a test of a model's constants takes next to no time. */
export const fewRows = 200
