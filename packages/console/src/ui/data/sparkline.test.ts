import { expect, test } from 'vitest'
import { sparkPath } from './Sparkline.tsx'

test.each([
  ['a line from edge to edge', [0, 100], 'M0 18.5L88 1.5'],
  ['a gap as a gap', [0, null, 50, 50], 'M0 18.5h0M58.7 10L88 10'],
  ['values beyond the edge at the edge', [-5, 300], 'M0 18.5L88 1.5'],
  ['one value as a dot', [100], 'M0 1.5h0'],
  ['nothing', [null, null], ''],
])('draws %s', (_, values, path) => {
  expect(sparkPath(values, 100)).toBe(path)
})
