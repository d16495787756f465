/** The bytes that a keyboard's keys are on a serial line, by their symbols in X11, which RFB uses. */
const named: Readonly<Record<number, string>> = {
  0xff08: '\x7f',
  0xff09: '\t',
  0xff0d: '\r',
  0xff8d: '\r',
  0xff1b: '\x1b',
  0xff50: '\x1b[H',
  0xff51: '\x1b[D',
  0xff52: '\x1b[A',
  0xff53: '\x1b[C',
  0xff54: '\x1b[B',
  0xff57: '\x1b[F',
  0xffff: '\x1b[3~',
}
const CONTROL: ReadonlySet<number> = new Set([0xffe3, 0xffe4])
const ALT: ReadonlySet<number> = new Set([0xffe9, 0xffea])
const DELETE = 0xffff
/** Symbols of other characters than those of Latin 1 are their code points from here on. */
const UNICODE = 0x1000000
const CODE_POINTS = 0x110000

/** A keyboard without a layout: symbols come as characters. */
export class Keyboard {
  #controls = 0
  #alts = 0

  /** What the key types; `reset` for Ctrl+Alt+Delete. */
  press(symbol: number, isDown: boolean): { typed: string } | 'reset' | undefined {
    if (CONTROL.has(symbol)) this.#controls = isDown ? 1 : 0
    if (ALT.has(symbol)) this.#alts = isDown ? 1 : 0
    if (!isDown) return undefined
    const hasControl = this.#controls > 0
    if (hasControl && this.#alts > 0) return symbol === DELETE ? 'reset' : undefined
    const text = named[symbol] ?? characterOf(symbol)
    if (text === undefined) return undefined
    if (!hasControl) return { typed: text }
    const letter = text.toUpperCase().charCodeAt(0)
    return text.length === 1 && letter >= 0x40 && letter < 0x60
      ? { typed: String.fromCharCode(letter & 0x1f) }
      : undefined
  }
}

function characterOf(symbol: number): string | undefined {
  if ((symbol >= 0x20 && symbol < 0x7f) || (symbol >= 0xa0 && symbol <= 0xff))
    return String.fromCharCode(symbol)
  if (symbol < UNICODE + 0x100 || symbol >= UNICODE + CODE_POINTS) return undefined
  return String.fromCodePoint(symbol - UNICODE)
}
