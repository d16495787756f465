import { expect, test } from 'vitest'
import { rowWriter } from './exported-rows.ts'

const rows = [
  { id: '1', name: 'a', description: '=1+1', runState: 'stopped', failure: null },
  { id: '2', name: 'b', description: 'two\tcells\nand lines', ncpus: 2, state: { state: 'attached' } },
]
const written = (format: Parameters<typeof rowWriter>[0], ...pages: object[][]): string => {
  const writer = rowWriter(format)
  for (const page of pages) writer.add(page)
  return writer.end().join('')
}

test('rows are exported in the words of the API, and formulas as text', () => {
  expect(written('csv', rows)).toBe(
    'id,name,description,run_state,failure,ncpus,state\r\n' +
      "1,a,'=1+1,stopped,,,\r\n" +
      '2,b,"two\tcells\nand lines",,,2,"{""state"":""attached""}"\r\n',
  )
  expect(written('jsonl', rows.slice(0, 1))).toBe(
    '{"id":"1","name":"a","description":"=1+1","run_state":"stopped","failure":null}\n',
  )
})

test('copied text has one line per row, whatever its cells contain', () => {
  expect(written('text', rows)).toBe(
    'id\tname\tdescription\trun_state\tfailure\tncpus\tstate\n' +
      "1\ta\t'=1+1\tstopped\t\t\t\n" +
      '2\tb\ttwo cells and lines\t\t\t2\t{"state":"attached"}\n',
  )
})

test.each(['csv', 'text', 'jsonl'] as const)('%s does not depend on how rows come in pages', (format) => {
  const [first = {}, second = {}] = rows
  expect(written(format, [first], [second])).toBe(written(format, rows))
  expect(written(format, [])).toBe(format === 'jsonl' ? '' : format === 'csv' ? '\r\n' : '\n')
})
