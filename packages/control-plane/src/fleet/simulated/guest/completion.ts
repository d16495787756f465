import { BELL, codePoints, type Edited, insert, type Line } from './line-editor.ts'

export type Completed = Edited & {
  /** Candidates to show when Tab is ambiguous. */
  candidates: string[]
}

/** Completes the command name before the cursor. Arguments are not completed. */
export function complete(line: Line, names: readonly string[]): Completed {
  const before = codePoints(line.text).slice(0, line.cursor).join('')
  const word = /(?:^|;|&&)\s*(?<word>[^\s;&]+)$/u.exec(before)?.groups?.word
  const matches = word === undefined ? [] : names.filter((name) => name.startsWith(word))
  const [first] = matches
  if (word === undefined || first === undefined) return { line, output: BELL, candidates: [] }
  const rest = commonPrefix(matches).slice(word.length)
  if (matches.length === 1) return { ...insert(line, `${rest} `), candidates: [] }
  return rest === '' ? { line, output: '', candidates: matches } : { ...insert(line, rest), candidates: [] }
}

function commonPrefix(names: readonly string[]): string {
  return names.reduce((prefix, name) => {
    let length = 0
    while (length < prefix.length && prefix[length] === name[length]) length++
    return prefix.slice(0, length)
  })
}
