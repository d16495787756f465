import { describe, expect, test } from 'vitest'
import { type Asker, FairQueue, type Place, type QueueBounds } from './fair-queue.ts'

const ample = { waitingEach: 100, waiting: 1000 }

/** Lets pending promises continue. */
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

/** A queue whose pieces note when they begin, and end when the test says so. */
function testQueue(bounds: Partial<QueueBounds> = {}) {
  const queue = new FairQueue({ atOnce: 1, atOnceEach: 1, ...ample, ...bounds })
  const began: string[] = []
  const places = new Map<string, Place>()
  const refused: string[] = []
  return {
    began,
    refused,
    enter: (owner: string, piece: string, more: Omit<Asker, 'owner'> = {}) =>
      void queue.enter({ owner, ...more }).then(
        (place) => {
          began.push(piece)
          places.set(piece, place)
        },
        (error: Error) => refused.push(`${piece}: ${error.name} ${error.message}`),
      ),
    end: async (piece: string, spent = 0) => {
      const place = places.get(piece)
      place?.spend(spent)
      place?.leave()
      place?.leave()
      await settle()
    },
  }
}

describe('a queue with shares', () => {
  test('lets no owner hold every place', async () => {
    const { began, enter, end } = testQueue({ atOnce: 2 })
    for (const piece of ['a1', 'a2', 'a3']) enter('a', piece)
    await settle()
    expect(began).toEqual(['a1'])
    enter('b', 'b1')
    await settle()
    expect(began).toEqual(['a1', 'b1'])
    await end('a1')
    expect(began).toEqual(['a1', 'b1', 'a2'])
  })

  test('alternates between owners, whatever each has waiting', async () => {
    const { began, enter, end } = testQueue()
    for (const piece of ['a1', 'a2', 'a3']) enter('a', piece)
    for (const piece of ['b1', 'b2']) enter('b', piece)
    await settle()
    for (const piece of ['a1', 'a2', 'b1', 'a3']) await end(piece)
    // `b` starts beside `a`, whose second piece has waited longer.
    expect(began).toEqual(['a1', 'a2', 'b1', 'a3', 'b2'])
  })

  test('serves whoever has spent least', async () => {
    const { began, enter, end } = testQueue()
    for (const piece of ['a1', 'a2']) enter('a', piece)
    for (const piece of ['b1', 'b2', 'b3']) enter('b', piece)
    await settle()
    await end('a1', 1000)
    for (const piece of ['b1', 'b2', 'b3']) await end(piece, 10)
    expect(began).toEqual(['a1', 'b1', 'b2', 'b3', 'a2'])
  })

  test('starts who comes back beside the one who has spent least, not ahead of all', async () => {
    const { began, enter, end } = testQueue()
    enter('a', 'a1')
    enter('a', 'a2')
    await settle()
    await end('a1', 1000)
    enter('b', 'b1')
    enter('a', 'a3')
    await end('a2', 1000)
    await end('b1', 1)
    expect(began).toEqual(['a1', 'a2', 'b1', 'a3'])
  })

  test('forgets callers who are gone, without giving them a place', async () => {
    const { began, refused, enter, end } = testQueue()
    const gone = new AbortController()
    enter('a', 'a1')
    for (const piece of ['b1', 'b2']) enter('b', piece, { signal: gone.signal })
    enter('c', 'c1')
    await settle()
    gone.abort()
    await settle()
    expect(refused).toEqual([
      'b1: AbortError This operation was aborted',
      'b2: AbortError This operation was aborted',
    ])
    enter('b', 'b3', { signal: gone.signal })
    await end('a1')
    expect(began).toEqual(['a1', 'c1'])
    expect(refused).toHaveLength(3)
  })

  test('ends no work of a caller who leaves after it began', async () => {
    const { began, refused, enter, end } = testQueue()
    const gone = new AbortController()
    enter('a', 'a1', { signal: gone.signal })
    enter('b', 'b1')
    await settle()
    gone.abort()
    await settle()
    expect([began, refused]).toEqual([['a1'], []])
    await end('a1')
    expect(began).toEqual(['a1', 'b1'])
  })

  test('refuses what one owner queues beyond the limit, and nothing of the others', async () => {
    const { began, refused, enter, end } = testQueue({ waitingEach: 2 })
    for (const piece of ['a1', 'a2', 'a3', 'a4']) enter('a', piece)
    enter('b', 'b1')
    await settle()
    expect(refused).toEqual(['a4: Refusal too many requests'])
    for (const piece of ['a1', 'a2', 'b1']) await end(piece)
    expect(began).toEqual(['a1', 'a2', 'b1', 'a3'])
  })

  test('refuses, when it is full, the newest of whoever has most waiting', async () => {
    const { refused, enter } = testQueue({ waiting: 3 })
    for (const piece of ['a1', 'a2', 'a3', 'a4']) enter('a', piece)
    enter('b', 'b1')
    await settle()
    expect(refused).toEqual(['a4: Refusal too many requests'])
  })

  test('refuses, when all have as many waiting, the one who came last, and preferred ones after the others', async () => {
    const { began, refused, enter, end } = testQueue({ waiting: 3 })
    for (const owner of ['a', 'b', 'c']) enter(owner, `${owner}1`)
    enter('d', 'd1', { isPreferred: true })
    enter('e', 'e1')
    await settle()
    expect(refused).toEqual(['e1: Refusal too many requests'])
    enter('f', 'f1', { isPreferred: true })
    await settle()
    expect(refused.slice(1)).toEqual(['c1: Refusal too many requests'])
    for (const piece of ['a1', 'd1', 'f1']) await end(piece)
    expect(began).toEqual(['a1', 'd1', 'f1', 'b1'])
  })

  test('refuses in the words of its user', async () => {
    const { refused, enter } = testQueue({ waitingEach: 0, refusal: (fact) => new RangeError(fact) })
    for (const piece of ['a1', 'a2']) enter('a', piece)
    await settle()
    expect(refused).toEqual(['a2: RangeError You have 1 running and 0 waiting'])
  })

  test('notes on the request of a user that others may run before it, whether or not it waits', async () => {
    const queue = new FairQueue({ atOnce: 1, atOnceEach: 1, ...ample })
    const request = () => ({ user: () => ({ user_id: 'a' }), othersRan: false })
    const [first, second] = [request(), request()]
    const place = await queue.enterFor(first)
    const waiting = queue.enterFor(second)
    expect([first.othersRan, second.othersRan]).toEqual([true, true])
    place.leave()
    await waiting
  })

  test('gives the place of failed work to the next', async () => {
    const queue = new FairQueue({ atOnce: 1, atOnceEach: 1, ...ample })
    const failed = queue.run({ owner: 'a' }, () => Promise.reject(new Error('broken')))
    const next = queue.run({ owner: 'b' }, () => Promise.resolve('done'))
    await expect(failed).rejects.toThrow('broken')
    expect(await next).toBe('done')
  })
})
