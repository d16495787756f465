import { expect, test } from 'vitest'
import { placeMarks } from './marks.ts'

const mark = (time: number) => ({ time, label: `at ${time}` })

test('marks are placed by their time, oldest first, and only inside the range', () => {
  expect(placeMarks([mark(90), mark(10), mark(101), mark(-1)], [0, 100], 1000)).toEqual([
    { left: 100, marks: [mark(10)] },
    { left: 900, marks: [mark(90)] },
  ])
})

test('marks that would overlap are one, at the place of the first', () => {
  expect(placeMarks([mark(10), mark(11), mark(12), mark(13)], [0, 100], 1000)).toEqual([
    { left: 100, marks: [mark(10), mark(11), mark(12)] },
    { left: 130, marks: [mark(13)] },
  ])
  expect(placeMarks([mark(10)], [0, 100], 0)).toEqual([{ left: 0, marks: [mark(10)] }])
})
