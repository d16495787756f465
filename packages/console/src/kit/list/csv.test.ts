import { expect, test } from 'vitest'
import { csvLine, plainLine } from './csv.ts'

test.each([
  [['a', 'b c', ''], 'a,b c,'],
  [['a,b', 'say "no"', 'two\nlines'], '"a,b","say ""no""","two\nlines"'],
  [['=1+1', '+1', '-1', '@now', '\tx'], "'=1+1,'+1,'-1,'@now,'\tx"],
  [['\rx', '\nx'], `"'\rx","'\nx"`],
  [['＝1', '＠a'], "'＝1,'＠a"],
  [['a=b', 'a-b'], 'a=b,a-b'],
  [[-1, 2.5], '-1,2.5'],
])('%j is the line %j', (cells, line) => expect(csvLine(cells)).toBe(line))

test('a line of text keeps its cells, and disarms formulas', () =>
  expect(plainLine(['a', 'b\tc\r\n d', '=1', '\n=2', -3])).toBe("a\tb c d\t'=1\t' =2\t-3"))
