/** Above this number of rows a sample of rows preselects the ensembles that are scored on all rows. */
export const manyRows = 20_000
