import { isMap, LineCounter, parseDocument } from 'yaml'

/** A problem of a cloud-config. Offsets count from 0, lines and columns from 1. */
export interface ConfigProblem {
  from: number
  to: number
  line: number
  column: number
  message: string
}

/** Shown and marked of one text: the first names the cause, and later ones mostly follow from it. */
const maxProblems = 5

/** cloud-init reads a text as YAML if it begins so; of all other forms it knows nothing before it runs them. */
export const isCloudConfig = (text: string): boolean => /^#cloud-config[ \t]*(\r?\n|$)/.test(text)

/** What cloud-init could not read in a cloud-config. Other forms of user data have no problems. */
export function cloudConfigProblems(text: string): ConfigProblem[] {
  if (!isCloudConfig(text)) return []
  const lines = new LineCounter()
  // Aliases are not resolved, so a small text cannot become a large one.
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, version: '1.1' })
  const at = (from: number, to: number, message: string): ConfigProblem => {
    const { line, col } = lines.linePos(from)
    return { from, to: Math.max(from, Math.min(to, text.length)), line, column: col, message }
  }
  const found = document.errors
    .slice(0, maxProblems)
    .map(({ pos: [from, to], message }) => at(from, to, message.trim().replace(/\.$/, '')))
  if (found.length > 0 || document.contents === null || isMap(document.contents)) return found
  const [from, to] = document.contents.range ?? [0, 0]
  return [at(from, to, 'A cloud-config is a mapping, with lines such as "packages: [curl]"')]
}
