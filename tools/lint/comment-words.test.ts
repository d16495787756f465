import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { commentWords, joinedComments, wordTable } from './comment-words.mjs'

const root = path.join(import.meta.dirname, '../..')
const markdown = readFileSync(path.join(root, 'CONTRIBUTING.md'), 'utf8')
const problemsOf = commentWords(markdown)

test('the table of CONTRIBUTING is read, without the words in italics', () => {
  const table = wordTable(markdown)
  expect(table).toContainEqual({ write: 'lease holder', not: ['whose lease it is'] })
  expect(table.flatMap(({ not }) => not)).toEqual(
    expect.arrayContaining(['whoever', 'nobody', 'what is more']),
  )
  expect(table.flatMap(({ not }) => not)).not.toContain('again')
})

test.each([
  ['Deletes it for whoever asked.', 'whoever'],
  ['Nobody needs it.', 'nobody'],
  ['It restarts by itself.', 'by itself'],
  ['It restarts by\n * itself.', 'by itself'],
  ['First what is more, then what is less.', 'what is more'],
  ['He judges the result.', 'judge'],
  ['It goes on afterwards.', 'go on'],
])('%j is refused', (comment, words) => expect(problemsOf(comment).join()).toContain(`"${words}"`))

test.each([
  'Retries it again.',
  'Runs as `nobody`.',
  'The owner deletes it.',
  'Items itself.',
  'It bygones.',
])('%j is accepted', (comment) => expect(problemsOf(comment)).toEqual([]))

test('a phrase may continue on the next line of a comment', () => {
  const line = (number: number, value: string) => ({
    type: 'Line',
    value,
    loc: { start: { line: number }, end: { line: number } },
  })
  const texts = joinedComments([line(1, ' It ends by'), line(2, ' itself.'), line(4, ' Another.')])
  expect(texts.map(({ text }) => text)).toEqual([' It ends by  itself.', ' Another.'])
})

test('the linter runs the rule', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'comment-words-'))
  try {
    const file = path.join(folder, 'bad.mjs')
    writeFileSync(file, '// Nobody calls this.\nexport const unused = 1\n')
    const lint = () =>
      execFileSync(
        process.execPath,
        [
          path.join(root, 'node_modules/oxlint/bin/oxlint'),
          '--config',
          path.join(root, '.oxlintrc.json'),
          file,
        ],
        { encoding: 'utf8', stdio: 'pipe' },
      )
    expect(lint).toThrow(expect.objectContaining({ stdout: expect.stringContaining('comment-words') }))
    writeFileSync(file, '// No module calls this.\nexport const unused = 1\n')
    expect(lint()).toContain('0 errors')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
