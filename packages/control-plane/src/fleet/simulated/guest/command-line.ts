export interface Invocation {
  words: string[]
  /** Whether it always runs, or only after the previous command succeeded. */
  after: 'anything' | 'success'
}

export type Parsed = { commands: Invocation[] } | { problem: string }

interface Token {
  kind: 'word' | 'operator'
  text: string
}

// Groups: blank, comment, operator, word made of plain, escaped, single-quoted and double-quoted parts.
const token =
  /(?<blank>\s+)|(?<comment>#.*)|(?<operator>&&|\|\||>>|[;&|<>])|(?<word>(?:[^\s;&|<>\\'"]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+)/uy

const wordPart = /\\(.)|'([^']*)'|"((?:[^"\\]|\\.)*)"|([^\\'"]+)/gu

/** Splits a line into commands like a shell, supporting quotes, variables, `;` and `&&`. */
export function parseCommandLine(line: string, variables: Readonly<Record<string, string>>): Parsed {
  const tokens = tokenize(line, variables)
  return tokens === undefined ? { problem: 'syntax error: unclosed quote or backslash' } : arrange(tokens)
}

function tokenize(line: string, variables: Readonly<Record<string, string>>): Token[] | undefined {
  const tokens: Token[] = []
  token.lastIndex = 0
  while (token.lastIndex < line.length) {
    const groups = token.exec(line)?.groups
    if (!groups) return undefined
    if (groups.operator) tokens.push({ kind: 'operator', text: groups.operator })
    if (groups.word) tokens.push({ kind: 'word', text: unquote(groups.word, variables) })
  }
  return tokens
}

function arrange(tokens: Token[]): Parsed {
  const commands: Invocation[] = []
  let current: Invocation = { words: [], after: 'anything' }
  for (const { kind, text } of tokens) {
    if (kind === 'word') {
      current.words.push(text)
      continue
    }
    if (text !== ';' && text !== '&&')
      return { problem: `'${text}' is not supported by this simulated guest` }
    if (current.words.length === 0) return { problem: `syntax error near '${text}'` }
    commands.push(current)
    current = { words: [], after: text === '&&' ? 'success' : 'anything' }
  }
  if (current.words.length > 0) commands.push(current)
  else if (current.after === 'success') return { problem: 'syntax error: a command is missing after &&' }
  return { commands }
}

function unquote(word: string, variables: Readonly<Record<string, string>>): string {
  return word.replace(wordPart, (part, escaped?: string, single?: string, double?: string) => {
    if (escaped !== undefined) return escaped
    if (single !== undefined) return single
    if (double !== undefined) return expand(double, variables).replace(/\\(["\\$`])/gu, '$1')
    return expand(part, variables)
  })
}

function expand(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replace(/(?<!\\)\$(?:(\w+)|\{(\w+)\})/gu, (_, plain?: string, braced?: string) => {
    const name = plain ?? braced ?? ''
    return Object.hasOwn(variables, name) ? (variables[name] ?? '') : ''
  })
}
