import { ops } from '@gantry/api/registry'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { listProblem } from './oversize.ts'

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
  ])('%s has no problem', (_, value) => expect(listProblem(Shape, value)).toBeUndefined())

  test('one that is too long is refused before its items are read', () => {
    const unread = new Proxy([], {
      get: (target, key) => {
        if (key === 'length') return 101
        if (key === Symbol.iterator || key === '0') throw new Error('an item was read')
        return Reflect.get(target, key)
      },
    })
    expect(listProblem(Shape, { items: unread })).toMatchObject({
      kind: 'too long',
      path: ['items'],
      maximum: 100,
    })
  })

  test('one inside an item is checked too', () => {
    const value = { items: [item, { ...item, tags: many(4, 'x') }] }
    expect(listProblem(Shape, value)).toMatchObject({ kind: 'too long', path: ['items', 1, 'tags'] })
  })

  test('is read only up to its first bad item', () => {
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
    expect(listProblem(Plain, counted)).toMatchObject({ kind: 'bad item', path: ['items', 5] })
    expect(read).toBe(6)
  })

  test('is found in union alternatives', () => {
    const instance = { network_interfaces: { type: 'create', params: many(257, {}) } }
    expect(ops.instanceCreate.body && listProblem(ops.instanceCreate.body, instance)).toMatchObject({
      kind: 'too long',
      path: ['network_interfaces', 'params'],
      maximum: 256,
    })
  })
})
