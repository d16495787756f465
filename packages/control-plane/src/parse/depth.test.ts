import { expect, test } from 'vitest'
import { maxDepth, tooDeepAt } from './depth.ts'

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)

test.each([
  ['as deep as may be', nested(maxDepth), undefined],
  ['one level deeper', nested(maxDepth + 1), maxDepth],
  ['deeper by lists and objects', '{"a":['.repeat(maxDepth), 6 * (maxDepth / 2)],
  ['deeper, and never closed', '['.repeat(100_000), maxDepth],
  ['many beside one another', `[${Array(1000).fill('[{}]').join()}]`, undefined],
  ['brackets in a string', JSON.stringify({ a: nested(1000) }), undefined],
  ['brackets after an escaped quote', JSON.stringify({ a: `"${nested(1000)}\\` }), undefined],
  ['brackets after a string that ends in a backslash', `{"a\\\\":${nested(maxDepth)}}`, 7 + maxDepth - 1],
  ['no JSON', '"[', undefined],
])('%s', (_, text, at) => expect(tooDeepAt(text)).toBe(at))
