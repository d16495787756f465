import { expect, test } from 'vitest'
import { dropAt, scrollStep } from './drag.ts'

const boxes = [0, 40, 80].map((top) => ({ top, bottom: top + 40, left: 8, width: 300 }))

test.each([
  ['above the first', 2, -5, 0, 0],
  ['in the upper half of a row', 2, 45, 1, 40],
  ['in the lower half of a row', 0, 75, 1, 80],
  ['at its own position', 1, 50, 1, 40],
  ['just below its own position', 1, 70, 1, 80],
  ['below the last', 0, 500, 2, 120],
])('a dropped row %s', (_, from, y, to, top) =>
  expect(dropAt(boxes, from, y)).toEqual({ to, line: { top, left: 8, width: 300 } }),
)

test('the list scrolls when the pointer is near its edge', () => {
  const pane = { top: 100, bottom: 600 }
  expect([120, 300, 590].map((y) => Math.sign(scrollStep(y, pane)))).toEqual([-1, 0, 1])
})
