import { expect, test } from 'vitest'
import type { Operation } from '../op.ts'
import { ops } from '../registry.ts'
import { selectorOf } from './selectors.rules.ts'

const views = Object.entries<Operation>(ops).flatMap(([name, { method, path, reads, transport }]) => {
  const [, selector] = /\/\{(\w+)\}$/.exec(path) ?? []
  // A file of an object is downloaded, and never kept as an answer; the id of an object of any kind is no selector.
  const isView = method === 'GET' && transport === 'json' && selector !== 'object_id'
  return isView && selector && reads.length > 0 ? [{ name, selector, reads }] : []
})

test('there are views to check', () => expect(views.length).toBeGreaterThan(20))

test.each(views)('$name names its object by the selector of a kind that it reads', ({ selector, reads }) => {
  expect(reads.map((kind) => selectorOf[kind])).toContain(selector)
})
