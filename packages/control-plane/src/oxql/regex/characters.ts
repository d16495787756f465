import { type CharacterTest, PatternProblem } from './pattern.ts'

const between =
  (first: string, last: string): CharacterTest =>
  (code) =>
    code >= first.charCodeAt(0) && code <= last.charCodeAt(0)
const among =
  (text: string): CharacterTest =>
  (code) =>
    Array.from(text).some((one) => one.codePointAt(0) === code)
export const anyOf =
  (tests: readonly CharacterTest[]): CharacterTest =>
  (code) =>
    tests.some((test) => test(code))
export const not =
  (test: CharacterTest): CharacterTest =>
  (code) =>
    !test(code)
export const exactly =
  (wanted: number): CharacterTest =>
  (code) =>
    code === wanted

const digit = between('0', '9')
const lower = between('a', 'z')
const upper = between('A', 'Z')
const alpha = anyOf([lower, upper])
const alnum = anyOf([alpha, digit])
const graph: CharacterTest = (code) => code > 0x20 && code < 0x7f
export const word = anyOf([alnum, exactly(0x5f)])
const blank = among('\t ')

/** `\d`, `\s`, `\w` and their opposites. */
export const escapedClasses: Record<string, CharacterTest> = {
  d: digit,
  s: among('\t\n\f\r '),
  w: word,
  D: not(digit),
  S: not(among('\t\n\f\r ')),
  W: not(word),
}

/** `[:name:]` inside brackets. */
export const namedClasses: Record<string, CharacterTest> = {
  alnum,
  alpha,
  ascii: (code) => code < 0x80,
  blank,
  cntrl: (code) => code < 0x20 || code === 0x7f,
  digit,
  graph,
  lower,
  print: (code) => code >= 0x20 && code < 0x7f,
  punct: (code) => graph(code) && !alnum(code),
  space: among('\t\n\v\f\r '),
  upper,
  word,
  xdigit: anyOf([digit, between('a', 'f'), between('A', 'F')]),
}

/** `\p{Name}`: the platform knows Unicode, and one character cannot take long. */
export function unicodeClass(name: string): CharacterTest {
  const isValid = /^\w+$/.test(name)
  for (const property of isValid ? [name, `Script=${name}`] : []) {
    try {
      const test = new RegExp(`^\\p{${property}}$`, 'u')
      return (code) => test.test(String.fromCodePoint(code))
    } catch {
      // Not a property of this kind.
    }
  }
  throw new PatternProblem(`there is no character class \\p{${name}}`)
}

/** Also accepts what differs only in case. */
export const ignoringCase =
  (test: CharacterTest): CharacterTest =>
  (code) => {
    if (test(code)) return true
    const text = String.fromCodePoint(code)
    return [text.toLowerCase(), text.toUpperCase()].some((other) => {
      const [only = '', ...more] = other
      return more.length === 0 && test(only.codePointAt(0) ?? code)
    })
  }
