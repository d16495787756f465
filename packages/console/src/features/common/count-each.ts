import { inParallel } from '#/data/in-parallel.ts'

/** Counts by the id of the parent. Parents without any may be missing. */
export type Counts = ReadonlyMap<string, number>

/** Concurrent requests. */
const concurrency = 4

/** For servers without an operation that counts for a whole list. */
export async function countEach(
  ids: readonly string[],
  signal: AbortSignal,
  count: (id: string) => Promise<number>,
): Promise<Counts> {
  const counts = new Map<string, number>()
  await inParallel(ids, concurrency, signal, async (id) => void counts.set(id, await count(id)))
  return counts
}
