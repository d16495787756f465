import { HighlightStyle, StreamLanguage } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

/** Styles the editor by the console's tokens, which follow the theme. */
export const editorLook = EditorView.theme({
  '&': { fontSize: '0.8125rem', color: 'var(--text)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': {
    fontFamily: 'var(--face-mono)',
    lineHeight: '1.25rem',
    minHeight: '7.5rem',
    maxHeight: '20rem',
    overflow: 'auto',
  },
  '.cm-content': { padding: '0.5rem 0', caretColor: 'var(--text-strong)' },
  '.cm-gutters': {
    backgroundColor: 'transparent',
    color: 'var(--text-faint)',
    border: 'none',
  },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--surface-selected)' },
  '.cm-tooltip': {
    border: 'none',
    borderRadius: '5px',
    backgroundColor: 'var(--surface-float)',
    boxShadow: 'var(--cast-menu)',
    color: 'var(--text)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: 'var(--face-mono)',
    maxWidth: 'calc(100vw - 3rem)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '0.25rem 0.625rem' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--surface-selected)',
    color: 'var(--text-strong)',
  },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '600' },
  '.cm-tooltip.cm-completionInfo': {
    padding: '0.375rem 0.625rem',
    maxWidth: '20rem',
    fontFamily: 'var(--face-sans)',
  },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--fail-fill)' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--fail-fill)',
    textUnderlineOffset: '0.2em',
  },
})

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
