import { expect, test, vi } from 'vitest'
import { createSelection } from './selection.ts'

test("selected rows come in the page's order, with the extent of the selection", () => {
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

test('a row that leaves the page is deselected, and a new one is unselected', () => {
  const selection = createSelection()
  selection.show(['a', 'b'])
  selection.selectAll()
  selection.show(['b', 'c'])
  expect([selection.ids(), selection.extent()]).toEqual([['b'], 'some'])
  selection.show(['a', 'b'])
  expect(selection.ids()).toEqual(['b'])
})

test('showing the same page again notifies nobody', () => {
  const selection = createSelection()
  selection.show(['a'])
  const listener = vi.fn()
  selection.subscribe(listener)
  const before = selection.ids()
  selection.show(['a'])
  expect(listener).not.toHaveBeenCalled()
  expect(selection.ids()).toBe(before)
})

test('new rows leave the selected ids the same array, so that what reads them does not render again', () => {
  const selection = createSelection()
  const none = selection.ids()
  selection.show(['a', 'b'])
  expect(selection.ids()).toBe(none)
  selection.toggle('a')
  const one = selection.ids()
  selection.show(['b', 'a'])
  expect(selection.ids()).toBe(one)
})

test('everything that matches stays selected on a next page, until a row is deselected', () => {
  const selection = createSelection()
  selection.show(['a', 'b'])
  selection.selectAll()
  expect(selection.isEverything()).toBe(false)
  selection.selectEverything()
  selection.show(['c', 'd'])
  expect([selection.isEverything(), selection.ids(), selection.extent()]).toEqual([true, ['c', 'd'], 'all'])
  selection.toggle('c')
  expect([selection.isEverything(), selection.ids()]).toEqual([false, ['d']])
})
