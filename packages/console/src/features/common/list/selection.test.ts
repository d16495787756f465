import { expect, test, vi } from 'vitest'
import { createSelection } from './selection.ts'

test('what is chosen is told in the order of the page, and how much of it', () => {
  const selection = createSelection()
  selection.show(['a', 'b', 'c'])
  expect(selection.extent()).toBe('none')
  selection.toggle('c')
  selection.toggle('a')
  expect([selection.ids(), selection.extent()]).toEqual([['a', 'c'], 'some'])
  selection.toggle('b')
  expect(selection.extent()).toBe('all')
  selection.toggle('a')
  expect([selection.ids(), selection.has('a')]).toEqual([['b', 'c'], false])
  selection.selectAll()
  expect(selection.ids()).toEqual(['a', 'b', 'c'])
  selection.clear()
  expect(selection.ids()).toEqual([])
})

test('a row that leaves the page is chosen no longer, one that comes is not yet', () => {
  const selection = createSelection()
  selection.show(['a', 'b'])
  selection.selectAll()
  selection.show(['b', 'c'])
  expect([selection.ids(), selection.extent()]).toEqual([['b'], 'some'])
  selection.show(['a', 'b'])
  expect(selection.ids()).toEqual(['b'])
})

test('the same page once more is no news', () => {
  const selection = createSelection()
  selection.show(['a'])
  const heard = vi.fn()
  selection.subscribe(heard)
  const before = selection.ids()
  selection.show(['a'])
  expect(heard).not.toHaveBeenCalled()
  expect(selection.ids()).toBe(before)
})
