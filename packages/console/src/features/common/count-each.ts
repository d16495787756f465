import { inParallel } from '#/data/in-parallel.ts'

/** How many there are of something, by the id of what has them; those without any may be missing. */
export type Counts = ReadonlyMap<string, number>

/** As many requests as are made at the same time. */
const atOnce = 4

/** For servers that do not count for a whole list. */
export async function countEach(
  ids: readonly string[],
  signal: AbortSignal,
  count: (id: string) => Promise<number>,
): Promise<Counts> {
  const counts = new Map<string, number>()
  await inParallel(ids, atOnce, signal, async (id) => void counts.set(id, await count(id)))
  return counts
}
