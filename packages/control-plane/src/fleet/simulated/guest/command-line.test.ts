import { expect, test } from 'vitest'
import { parseCommandLine } from './command-line.ts'

const variables = { USER: 'mara', HOME: '/home/mara' }

const shown = (line: string) => {
  const parsed = parseCommandLine(line, variables)
  if ('problem' in parsed) return parsed.problem
  return parsed.commands.map(
    ({ words, after }) => (after === 'success' ? '&& ' : '') + words.map((word) => `<${word}>`).join(''),
  )
}

test.each([
  ['', []],
  ['   ', []],
  ['# only a remark', []],
  ['ls -l  /etc', ['<ls><-l></etc>']],
  ['ls # here', ['<ls>']],
  ['echo a#b', ['<echo><a#b>']],
  ['a;b', ['<a>', '<b>']],
  ['a ; b ;', ['<a>', '<b>']],
  ['a&&b', ['<a>', '&& <b>']],
  [`echo 'a  b' "c ; d"`, ['<echo><a  b><c ; d>']],
  [`echo a'b'"c"`, ['<echo><abc>']],
  [`echo ''`, ['<echo><>']],
  [String.raw`echo a\ b \; "\"q\"" '\'`, [String.raw`<echo><a b><;><"q"><\>`]],
  [`echo $USER "\${HOME}" '$USER' $NONE.`, ['<echo><mara></home/mara><$USER><.>']],
  [String.raw`echo \$USER "\$USER" $`, ['<echo><$USER><$USER><$>']],
  ['echo $constructor', ['<echo><>']],
])('%s', (line, expected) => expect(shown(line)).toEqual(expected))

test.each([
  [`echo 'a`, 'syntax error: unclosed quote or backslash'],
  ['echo "a', 'syntax error: unclosed quote or backslash'],
  ['echo \\', 'syntax error: unclosed quote or backslash'],
  ['; a', "syntax error near ';'"],
  ['a ;; b', "syntax error near ';'"],
  ['a &&', 'syntax error: a command is missing after &&'],
  ['a | b', "'|' is not supported by this simulated guest"],
  ['a > b', "'>' is not supported by this simulated guest"],
  ['a &', "'&' is not supported by this simulated guest"],
])('%s is refused', (line, problem) => expect(shown(line)).toBe(problem))
