import { EditorView } from '@codemirror/view'

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

/**
 * Replaces the selection on typing. Some browsers would copy the style of the replaced text into a style attribute,
 * which the content security policy refuses.
 */
export function typeOver(event: InputEvent, view: EditorView): boolean {
  const { data, inputType, isComposing } = event
  const { from, to, empty } = view.state.selection.main
  if (inputType !== 'insertText' || data === null || isComposing || empty) return false
  const selection = { anchor: from + data.length }
  view.dispatch({ changes: { from, to, insert: data }, selection, userEvent: 'input.type' })
  return true
}
