/** The midpoints of so many cells along every side of a box. */
export const midpoints = (
  box: ReadonlyArray<readonly [number, number]>,
  points: number,
): ReadonlyArray<ReadonlyArray<number>> =>
  box.reduce<ReadonlyArray<ReadonlyArray<number>>>(
    (before, [low, high]) =>
      before.flatMap((numbers) =>
        Array.from({ length: points }, (_, i) => [...numbers, low + ((i + 0.5) / points) * (high - low)]),
      ),
    [[]],
  )
