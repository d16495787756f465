import { inParallel } from '#/data/in-parallel.ts'

/** Counts by the id of the parent. Parents without any may be missing. */
export type Counts = ReadonlyMap<string, number>

/** Concurrent requests. */
const concurrency = 4

/** For servers without an operation that answers for a whole list: what each of these ids has, by id. */
export async function readEach<Value>(
  ids: readonly string[],
  signal: AbortSignal,
  read: (id: string, signal: AbortSignal) => Promise<Value>,
): Promise<ReadonlyMap<string, Value>> {
  const values = new Map<string, Value>()
  await inParallel(
    ids,
    concurrency,
    signal,
    async (id, either) => void values.set(id, await read(id, either)),
  )
  return values
}
