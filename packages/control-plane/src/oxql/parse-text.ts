import type { Cursor } from './cursor.ts'

const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t', '\\': '\\', '0': '\0' }

/** A quoted text, which cannot contain its own quote. */
export function parseText(cursor: Cursor): { quote: string; value: string } | undefined {
  const start = cursor.at
  const found = cursor.match(/'[^']*'|"[^"]*"/y, 'a string')
  if (!found) return undefined
  const [quoted] = found
  const value = quoted.slice(1, -1).replaceAll(/\\(?:u\{([0-9a-fA-F]{1,6})\}|([^]?))/g, (escape, ...rest) => {
    const [hex, letter = '', offset]: unknown[] = rest
    const at = start + 1 + Number(offset)
    if (typeof hex === 'string') return unicode(cursor, hex, at)
    const plain = escapes[String(letter)]
    if (plain === undefined)
      throw cursor.wrong(`an escape (\\n, \\r, \\t, \\\\, \\0 or \\u{...}), not ${escape}`, at)
    return plain
  })
  return { quote: quoted.charAt(0), value }
}

function unicode(cursor: Cursor, hex: string, at: number): string {
  const code = Number.parseInt(hex, 16)
  const isControl = code < 0x20 || (code >= 0x7f && code < 0xa0)
  if (isControl || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
    throw cursor.wrong('the code point of a character that is not a control code', at)
  return String.fromCodePoint(code)
}
