import { commonWords } from '../base/common-words.rules.ts'

/** Minimum characters of a new password. */
export const passwordMinLength = 12
/** Maximum bytes of a password. */
export const passwordMaxBytes = 512

/** A password with fewer parts than this is guessable; a common word is one part, and so is a run of keys. */
const fewestParts = 8

/** Sequences of keys and letters that people type in a row. */
const rows = ['qwertyuiop', 'qwertzuiop', 'asdfghjkl', 'zxcvbnm', 'azertyuiop', '1234567890', '0123456789']
const columns = [
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm',
  'qazwsxedcrfvtgbyhnujm',
  'q1w2e3r4t5y6u7i8o9p0',
  '1q2w3e4r5t6y7u8i9o0p',
]
const runs = [...rows, ...columns, 'abcdefghijklmnopqrstuvwxyz', '!@#$%^&*()', '!"£$%^&*()'].flatMap(
  (row) => [row + row, (row + row).split('').reverse().join('')],
)
const shortestRun = 3

/** Symbols that commonly replace a letter. */
const letterOf: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '!': 'i',
  '3': 'e',
  '4': 'a',
  '@': 'a',
  '5': 's',
  $: 's',
  '7': 't',
}

/**
 * Why a new password is refused, as the end of a sentence; undefined for a valid one. `names` are the first
 * things an attacker tries: the user's name and the silo's.
 */
export function passwordProblem(password: string, names: readonly string[] = []): string | undefined {
  if (isTooLong(password)) return `a password must have at most ${passwordMaxBytes} bytes`
  if (Array.from(password).length < passwordMinLength)
    return `a password must have at least ${passwordMinLength} characters`
  if (partsOf(password, names) < fewestParts)
    return 'this password is easy to guess: it consists of common words, names, repetitions or adjacent keys'
  return undefined
}

export const isTooLong = (password: string): boolean =>
  new TextEncoder().encode(password).length > passwordMaxBytes

/** The number of parts of the password, from left to right; a repetition counts once. */
function partsOf(password: string, names: readonly string[]): number {
  const text = firstPeriod(password.toLowerCase())
  const spelled = text.replace(/./g, (sign) => letterOf[sign] ?? sign)
  const words = new Set([...commonWords, ...names.flatMap(namePieces)])
  let parts = 0
  for (let at = 0; at < text.length; at += Math.max(1, partAt(text, spelled, at, words))) parts++
  return parts
}

const namePieces = (name: string): string[] =>
  [name, ...name.split(/[^\p{L}\p{N}]+/u)]
    .map((piece) => piece.toLowerCase())
    .filter((piece) => piece.length > 2)

/** The length of the word, run or repeated character that starts here. */
function partAt(text: string, spelled: string, at: number, words: ReadonlySet<string>): number {
  const repeated = /^(.)\1*/su.exec(text.slice(at))?.[0].length ?? 0
  return Math.max(
    repeated,
    runAt(text, at),
    wordAt(text, at, words),
    wordAt(spelled, at, words),
    yearAt(text, at),
  )
}

function runAt(text: string, at: number): number {
  let length = shortestRun
  while (at + length <= text.length && runs.some((run) => run.includes(text.slice(at, at + length)))) length++
  return length > shortestRun ? length - 1 : 0
}

const longestWord = 63
function wordAt(text: string, at: number, words: ReadonlySet<string>): number {
  for (let length = Math.min(longestWord, text.length - at); length > 2; length--)
    if (words.has(text.slice(at, at + length))) return length
  return 0
}

const yearAt = (text: string, at: number): number => (/^(19|20)\d\d/.test(text.slice(at, at + 4)) ? 4 : 0)

/** The text without repetitions of its beginning, of which the last may be partial. */
function firstPeriod(text: string): string {
  for (let period = 1; period <= text.length / 2 + 1; period++)
    if (text.slice(period) === text.slice(0, text.length - period)) return text.slice(0, period)
  return text
}
