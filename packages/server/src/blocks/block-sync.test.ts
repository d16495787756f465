import { expect, test } from 'vitest'
import { sharedSync } from './block-sync.ts'

/** A sync that ends on demand. */
function held() {
  const ends: ((error?: Error) => void)[] = []
  const sync = () =>
    new Promise<void>((resolve, reject) => ends.push((error) => (error ? reject(error) : resolve())))
  return { ends, sync }
}
const turn = () => new Promise((resolve) => setImmediate(resolve))

test('callers that arrive during a sync share the next', async () => {
  const shared = sharedSync()
  const { ends, sync } = held()
  const done: number[] = []
  const works = [1, 2, 3].map((who) => shared(sync).then(() => done.push(who)))
  await turn()
  expect(ends).toHaveLength(1)
  ends[0]?.()
  await turn()
  expect([done, ends.length]).toEqual([[1], 2])
  ends[1]?.()
  await Promise.all(works)
  expect([done, ends.length]).toEqual([[1, 2, 3], 2])
})

test('a failed sync fails for its own callers, and for no later ones', async () => {
  const shared = sharedSync()
  const { ends, sync } = held()
  const first = shared(sync)
  const second = shared(sync)
  ends[0]?.(new Error('the disk is gone'))
  await expect(first).rejects.toThrow('the disk is gone')
  await turn()
  ends[1]?.()
  await expect(second).resolves.toBeUndefined()
})
