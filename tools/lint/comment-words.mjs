// The table of words in CONTRIBUTING.md, held for comments.
import { readFileSync } from 'node:fs'
import path from 'node:path'

/**
 * The rows of the table: what to write, and the words to avoid. Words in italics have other uses and are not checked.
 * @param {string} markdown
 */
export function wordTable(markdown) {
  const [, section = ''] = markdown.split(/^## Words$/m)
  const rows = [...section.matchAll(/^\| ([^|]+) \| ([^|]+) \|$/gm)].map(([, write = '', not = '']) => ({
    write,
    not: not.split(', ').filter((words) => !words.startsWith('*')),
  }))
  return rows.filter(({ write, not }) => write !== 'Write' && not.length > 0)
}

/**
 * Also finds the third person of a verb that begins the words.
 * @param {string} words
 */
const patternOf = (words) => {
  const [first = '', ...others] = words.split(' ')
  return new RegExp(`\\b${[`${first}(?:e?s)?`, ...others].join(' ')}\\b`, 'i')
}

/** @param {string} markdown */
export function commentWords(markdown) {
  const checks = wordTable(markdown).flatMap(({ write, not }) =>
    not.map((words) => ({ write, words, pattern: patternOf(words) })),
  )
  /**
   * The words of a comment that the table replaces. Code in backquotes is not prose.
   * @param {string} comment
   */
  return (comment) => {
    const prose = comment
      .replace(/\n\s*\*? ?/g, ' ')
      .replace(/`[^`]*`/g, '``')
      .replace(/\s+/g, ' ')
    return checks
      .filter(({ pattern }) => pattern.test(prose))
      .map(({ write, words }) => `Comments say "${write}" rather than "${words}" (CONTRIBUTING.md, Words).`)
  }
}

/**
 * @typedef {{ start: { line: number }, end: { line: number } }} Location
 * @typedef {{ type: string, value: string, loc: Location }} Comment
 */

/**
 * What a rule is given.
 * @typedef {{
 *   filename: string,
 *   sourceCode: { getAllComments: () => Comment[] },
 *   report: (problem: { message: string, node?: unknown, loc?: unknown }) => void,
 * }} RuleContext
 */

/**
 * Joins line comments on consecutive lines: a phrase may continue on the next one.
 * @param {readonly Comment[]} comments
 */
export function joinedComments(comments) {
  /** @type {{ type: string, text: string, end: number, loc: Location }[]} */
  const joined = []
  for (const { type, value, loc } of comments) {
    const last = joined.at(-1)
    if (type === 'Line' && last?.type === 'Line' && last.end + 1 === loc.start.line) {
      last.text += ` ${value}`
      last.end = loc.end.line
    } else joined.push({ type, text: value, end: loc.end.line, loc })
  }
  return joined
}

const problemsOf = commentWords(readFileSync(path.join(import.meta.dirname, '../../CONTRIBUTING.md'), 'utf8'))

export const commentWordsRule = {
  /** @param {RuleContext} context */
  create: (context) => ({
    Program() {
      for (const { text, loc } of joinedComments(context.sourceCode.getAllComments()))
        for (const message of problemsOf(text)) context.report({ loc, message })
    },
  }),
}
