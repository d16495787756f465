import { expect, test } from 'vitest'
import { readEach } from './read-each.ts'

test('counts each item once, with at largest four requests at a time', async () => {
  let now = 0
  let largest = 0
  const counted: string[] = []
  const ids = Array.from({ length: 11 }, (_, index) => `row-${index}`)
  const counts = await readEach(ids, new AbortController().signal, async (id) => {
    largest = Math.max(largest, ++now)
    counted.push(id)
    await new Promise((resolve) => setTimeout(resolve, 1))
    now--
    return Number(id.slice(4))
  })
  expect(largest).toBe(4)
  expect(counted.sort()).toEqual([...ids].sort())
  expect(counts).toEqual(new Map(ids.map((id, index) => [id, index])))
})

test('passes a failure on', async () => {
  await expect(
    readEach(['a'], new AbortController().signal, () => Promise.reject(new Error('no'))),
  ).rejects.toThrow('no')
})
