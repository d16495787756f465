import { expect, test } from 'vitest'
import { breather } from './pauses.ts'

/** Keeps the thread for longer than work may without a pause. */
function occupy(): void {
  const until = performance.now() + 10
  while (performance.now() < until);
}

test('pieces of long work take turns, one in each turn of the event loop', async () => {
  let turn = 0
  let counting = setTimeout(function count() {
    turn++
    counting = setTimeout(count)
  })
  const names = ['a', 'b', 'c', 'd']
  const order: string[] = []
  const turns: number[] = []
  let pauses = 0
  await Promise.all(
    names.map(async (name) => {
      const breath = breather(() => void pauses++)
      for (let piece = 0; piece < 3; piece++) {
        occupy()
        await breath()
        order.push(name)
        turns.push(turn)
      }
    }),
  )
  clearTimeout(counting)
  expect(order).toEqual([...names, ...names, ...names])
  expect(new Set(turns).size).toBe(turns.length)
  expect(pauses).toBe(turns.length)
})

test('short work is not held up', () => {
  const breath = breather(() => expect.unreachable('it paused'))
  expect(breath()).toBeUndefined()
})
