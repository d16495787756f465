import { ops } from '@gantry/api/registry'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { readLists } from './oversize.ts'

const Item = z.object({ name: z.string(), tags: z.array(z.string()).max(3).nullish() })
const Shape = z.object({ items: z.array(Item).max(100).default([]) })
const item = { name: 'a' }
const many = (count: number, value: unknown): unknown[] => Array.from({ length: count }, () => value)

describe('a list', () => {
  test.each([
    ['of the greatest length', { items: many(100, item) }],
    ['that is absent', {}],
    ['that is not a list', { items: 7 }],
    ['with lists in its items', { items: many(100, { ...item, tags: ['a', 'b', 'c'] }) }],
    // The validator reports a few bad items itself, all in the same words.
    ['with a bad item among few', { items: [{}] }],
  ])('%s has no problem', async (_, value) => {
    const read = await readLists(Shape, value)
    expect(read.kind === 'rest' && read.schema.safeParse(read.value)).toEqual(Shape.safeParse(value))
  })

  test('one that is too long is refused before its items are read', async () => {
    const unread = new Proxy([], {
      get: (target, key) => {
        if (key === 'length') return 101
        if (key === Symbol.iterator || key === '0') throw new Error('an item was read')
        return Reflect.get(target, key)
      },
    })
    expect(await readLists(Shape, { items: unread })).toMatchObject({
      kind: 'too long',
      path: ['items'],
      maximum: 100,
    })
  })

  test('one inside an item is checked too', async () => {
    const value = { items: [item, { ...item, tags: many(4, 'x') }] }
    expect(await readLists(Shape, value)).toMatchObject({ kind: 'too long', path: ['items', 1, 'tags'] })
  })

  test('is read only up to its first bad item', async () => {
    let read = 0
    const Plain = z.object({ items: z.array(z.object({ name: z.string() })).max(100) })
    const counted = { items: many(90, item) }
    for (const [index] of counted.items.entries())
      Object.defineProperty(counted.items, index, {
        get: () => {
          read++
          return index === 5 ? {} : item
        },
      })
    expect(await readLists(Plain, counted)).toMatchObject({ kind: 'bad item', path: ['items', 5] })
    expect(read).toBe(6)
  })

  test('is found in union alternatives', async () => {
    const instance = { network_interfaces: { type: 'create', params: many(257, {}) } }
    const { body } = ops.instanceCreate
    expect(body && (await readLists(body, instance))).toMatchObject({
      kind: 'too long',
      path: ['network_interfaces', 'params'],
      maximum: 256,
    })
  })

  test('of many items is read once, and lets others work in between', async () => {
    let read = 0
    const Slow = z.string().refine(() => {
      read++
      for (const began = performance.now(); performance.now() - began < 1;);
      return true
    })
    const Slowly = z.object({
      of: z.object({ items: z.array(Slow).max(100).nullish() }),
      end: Slow.default('x'),
    })
    const value = { of: { items: many(100, 'a') }, more: 1 }
    let turns = 0
    const turn = setInterval(() => turns++)
    const lists = await readLists(Slowly, value)
    clearInterval(turn)
    expect(turns).toBeGreaterThan(3)
    expect(lists.kind === 'rest' && lists.schema.parse(lists.value)).toEqual({
      of: { items: many(100, 'a') },
      end: 'x',
    })
    expect(read).toBe(100)
  })

  test('few items that hold many are read one by one as well', async () => {
    const value = { items: many(20, { ...item, tags: ['a', 'b', 'c'], more: 1 }) }
    const lists = await readLists(Shape, value)
    expect(lists.kind === 'rest' && lists.value).toEqual({
      items: many(20, { ...item, tags: ['a', 'b', 'c'] }),
    })
    const bad = { items: [...value.items, { name: 1 }] }
    expect(await readLists(Shape, bad)).toMatchObject({ kind: 'bad item', path: ['items', 20] })
  })
})
