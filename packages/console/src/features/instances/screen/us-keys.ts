/** A key as pressed on a keyboard of the US: its symbol in X11, and its place as browsers name it. */
export interface Press {
  symbol: number
  code: string
  /** With Shift. */
  isShifted: boolean
}

const digits = ')!@#$%^&*('
/** The other keys: their place, and what they type without and with Shift. */
const signs: readonly (readonly [code: string, plain: string, shifted: string])[] = [
  ['Backquote', '`', '~'],
  ['Minus', '-', '_'],
  ['Equal', '=', '+'],
  ['BracketLeft', '[', '{'],
  ['BracketRight', ']', '}'],
  ['Backslash', '\\', '|'],
  ['Semicolon', ';', ':'],
  ['Quote', "'", '"'],
  ['Comma', ',', '<'],
  ['Period', '.', '>'],
  ['Slash', '/', '?'],
]

const places = new Map<string, Press>([
  [' ', { symbol: 0x20, code: 'Space', isShifted: false }],
  ['\n', { symbol: 0xff0d, code: 'Enter', isShifted: false }],
  ['\t', { symbol: 0xff09, code: 'Tab', isShifted: false }],
])
const add = (character: string, code: string, isShifted: boolean): void =>
  void places.set(character, { symbol: character.charCodeAt(0), code, isShifted })
for (const letter of 'abcdefghijklmnopqrstuvwxyz') {
  add(letter, `Key${letter.toUpperCase()}`, false)
  add(letter.toUpperCase(), `Key${letter.toUpperCase()}`, true)
}
Array.from(digits, (shifted, digit) => {
  add(String(digit), `Digit${digit}`, false)
  add(shifted, `Digit${digit}`, true)
})
for (const [code, plain, shifted] of signs) {
  add(plain, code, false)
  add(shifted, code, true)
}

/** How many characters are typed at most. */
export const typedMax = 4096

/** What a text is as keys, the characters that a US keyboard lacks, and how many are too many. */
export function pressesOf(text: string): { presses: Press[]; missing: string[]; tooMany: number } {
  const characters = Array.from(text.replaceAll(/\r\n?/g, '\n'))
  const presses: Press[] = []
  const missing = new Set<string>()
  for (const character of characters.slice(0, typedMax)) {
    const press = places.get(character)
    if (press) presses.push(press)
    else missing.add(character)
  }
  return { presses, missing: [...missing], tooMany: Math.max(0, characters.length - typedMax) }
}
