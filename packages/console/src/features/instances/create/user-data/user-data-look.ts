import { HighlightStyle, StreamLanguage } from '@codemirror/language'
import { tags } from '@lezer/highlight'

/** Tokens of YAML and of shell scripts that help to read them, matched at the start of the remaining text. */
const tokens: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ['comment', /^#.*/],
  ['key', /^[\w./-]+(?=:(\s|$))/],
  ['string', /^("([^"\\]|\\.)*"?|'[^']*'?)/],
  ['number', /^-?\d+(\.\d+)?(?![\w.])/],
  ['bool', /^(true|false|null|yes|no|on|off)(?!\w)/],
  ['word', /^[\w$./@=-]+/],
]

export const userDataLanguage = StreamLanguage.define<null>({
  name: 'user-data',
  token(stream) {
    if (stream.eatSpace()) return null
    const found = tokens.find(([, pattern]) => stream.match(pattern) !== null)
    if (found) return found[0] === 'word' ? null : found[0]
    stream.next()
    return null
  },
  tokenTable: { key: tags.propertyName },
})

export const userDataColours = HighlightStyle.define([
  { tag: tags.comment, color: 'var(--text-muted)' },
  { tag: tags.propertyName, color: 'var(--text-strong)', fontWeight: '600' },
  { tag: tags.string, color: 'var(--ok-text)' },
  { tag: [tags.number, tags.bool], color: 'var(--accent-text)' },
])
