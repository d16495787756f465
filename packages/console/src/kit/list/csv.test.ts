import { expect, test } from 'vitest'
import { csvLine } from './csv.ts'

test.each([
  [['a', 'b c', ''], 'a,b c,'],
  [['a,b', 'say "no"', 'two\nlines'], '"a,b","say ""no""","two\nlines"'],
  [['=1+1', '+1', '-1', '@now', '\tx'], "'=1+1,'+1,'-1,'@now,'\tx"],
  [['\rx'], `"'\rx"`],
  [['a=b', 'a-b'], 'a=b,a-b'],
  [[-1, 2.5], '-1,2.5'],
])('%j is the line %j', (cells, line) => expect(csvLine(cells)).toBe(line))
