import { HighlightStyle, StreamLanguage } from '@codemirror/language'
import { tags } from '@lezer/highlight'

/** Tokens of the language, matched at the start of the remaining text (control plane reference, B 20). */
const tokens: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ['string', /^("[^"]*"?|'[^']*'?)/],
  ['atom', /^@(now\(\)|[\d:.T-]*)/],
  ['unit', /^\d+(ms|us|ns|[YMwdhms])\b/],
  ['number', /^(0x[\da-fA-F]+|-?\d*\.?\d+([eE][+-]?\d+)?)/],
  ['keyword', /^(get|filter|align|group_by|join|first|last)\b/],
  ['function', /^(mean_within|interpolate|mean|sum)\b/],
  ['bool', /^(true|false)\b/],
  ['name', /^(?:tag\.[a-z0-9._-]+|[a-z_]\w*(:\w+)?)/i],
  ['operator', /^([|&^!=<>~]+)/],
]

export const oxql = StreamLanguage.define<null>({
  name: 'oxql',
  token(stream) {
    if (stream.eatSpace()) return null
    const found = tokens.find(([, pattern]) => stream.match(pattern) !== null)
    if (found) return found[0] === 'name' ? null : found[0]
    stream.next()
    return null
  },
  tokenTable: { function: tags.function(tags.variableName) },
})

export const oxqlColours = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--text-strong)', fontWeight: '600' },
  { tag: tags.function(tags.variableName), color: 'var(--text-strong)', fontStyle: 'italic' },
  { tag: tags.string, color: 'var(--ok-text)' },
  { tag: [tags.number, tags.unit, tags.atom, tags.bool], color: 'var(--accent-text)' },
  { tag: tags.operator, color: 'var(--text-muted)' },
])
