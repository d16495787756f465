import { describe, expect, test } from 'vitest'
import { type Buffer, bufferText, findMatches, type Match, nextMatch } from './search.ts'

/** A screen of so many columns, with lines wrapped as a terminal wraps them; Chinese characters take two cells. */
function screen(columns: number, lines: string[]): Buffer {
  const rows = lines.flatMap((line) => {
    const cells = Array.from(line).flatMap((char) => (/\p{Script=Han}/u.test(char) ? [char, ''] : [char]))
    const parts: string[][] = []
    for (let at = 0; at === 0 || at < cells.length; at += columns) parts.push(cells.slice(at, at + columns))
    return parts.map((part, index) => ({
      isWrapped: index > 0,
      translateToString: (trim?: boolean) => part.join('') + (trim ? '' : ' '.repeat(columns - part.length)),
      getCell: (column: number) => ({
        getChars: () => part[column] ?? '',
        getWidth: () => (part[column] === '' ? 0 : /\p{Script=Han}/u.test(part[column] ?? '') ? 2 : 1),
      }),
    }))
  })
  return { length: rows.length, getLine: (row) => rows[row] }
}

describe('what is found', () => {
  const columns = 10
  test.each<[string, string[], string, Match[]]>([
    ['every place', ['one on one'], 'one', [at(0, 0, 3), at(0, 7, 3)]],
    ['capitals or not', ['Log LOG'], 'log', [at(0, 0, 3), at(0, 4, 3)]],
    ['signs as they are', ['axb a.b'], 'a.b', [at(0, 4, 3)]],
    ['over the edge of the screen', ['0123456789abcdefghij'], '89ab', [at(0, 8, 4)]],
    ['in the row that a line goes on in', ['0123456789abcdefghij'], 'def', [at(1, 3, 3)]],
    ['behind characters of two cells', ['漢字 ok'], 'ok', [at(0, 5, 2)]],
    ['characters of two cells', ['a漢字b'], '漢字', [at(0, 1, 4)]],
    ['behind characters of two units', ['🚀 go'], 'go', [at(0, 2, 2)]],
    ['nothing for nothing', ['one'], '', []],
    ['nothing', ['one', 'two'], 'three', []],
  ])('%s', (_, lines, words, expected) =>
    expect(findMatches(screen(columns, lines), words, columns)).toEqual(expected),
  )
})

function at(row: number, column: number, cells: number): Match {
  return { row, column, cells }
}

describe('where one goes from a match', () => {
  const matches = [at(0, 4, 1), at(3, 0, 1), at(3, 9, 1)]
  test.each<[string, Match | undefined, 1 | -1, number]>([
    ['first to the last', undefined, -1, 2],
    ['down', at(0, 4, 1), 1, 1],
    ['down in the same row', at(3, 0, 1), 1, 2],
    ['from the end to the top', at(3, 9, 1), 1, 0],
    ['up', at(3, 9, 1), -1, 1],
    ['from the top to the end', at(0, 4, 1), -1, 2],
    ['from between', at(2, 0, 1), -1, 0],
  ])('%s', (_, from, step, expected) => expect(nextMatch(matches, from, step)).toBe(expected))
  test('nowhere', () => expect(nextMatch([], at(1, 1, 1), 1)).toBe(-1))
})

test('the text is in lines as they were printed, without the empty rest of the screen', () => {
  expect(bufferText(screen(10, ['0123456789abc', '', 'end   ', '', '']))).toBe('0123456789abc\n\nend\n')
  expect(bufferText(screen(10, ['', '']))).toBe('')
})
