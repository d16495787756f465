import { expect, test } from 'vitest'

const sources = import.meta.glob<string>('./**/*.ts', {
  query: '?raw',
  import: 'default',
  eager: true,
})
const list = './operations.gen.ts'

test('the list of operations matches the files that export some (else: npm run generate)', () => {
  const listed = [...(sources[list] ?? '').matchAll(/from '(.*)'/g)].map(([, file]) => file)
  const files = Object.entries(sources)
    .filter(([file, source]) => file !== list && /^export const \w+Ops = /m.test(source))
    .map(([file]) => file)
  expect(new Set(listed)).toEqual(new Set(files))
})
