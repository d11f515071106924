/** In place of `node:v8`, which readers ask for the memory that there is: pages have at most so much, whatever the machine has. */
export const getHeapStatistics = (): { readonly heap_size_limit: number } => ({ heap_size_limit: 2 ** 31 })
