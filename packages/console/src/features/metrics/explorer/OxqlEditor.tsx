import {
  autocompletion,
  type Completion,
  type CompletionContext,
  completionKeymap,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { bracketMatching, syntaxHighlighting } from '@codemirror/language'
import { setDiagnostics } from '@codemirror/lint'
import { EditorState, Prec } from '@codemirror/state'
import { EditorView, keymap, lineNumbers } from '@codemirror/view'
import { isLonger } from '@gantry/api/base/text.rules'
import { timeseriesQueryMax } from '@gantry/api/metrics/metric.rules'
import { type Ref, useEffect, useImperativeHandle, useLayoutEffect, useRef } from 'react'
import { editorLook, typeOver } from '#/ui/editor/editor-look.ts'
import { oxql, oxqlColours } from './oxql-look.ts'
import type { TimeseriesDescription } from './timeseries-descriptions.ts'
import { oxqlCompletions } from './oxql-completions.ts'
import type { ErrorPosition } from './queries.ts'

type Position = Pick<ErrorPosition, 'line' | 'column'>

export interface EditorHandle {
  /** Focuses the editor and moves the cursor to a position, counted from 1. */
  goTo: (position: Position) => void
}

interface Props {
  ref?: Ref<EditorHandle>
  value: string
  onChange: (text: string) => void
  /** With the text at this moment: events in a shadow root do not let React render before the next key. */
  onRun: (text: string) => void
  /** A change was refused because the query would be too long. */
  onTooLong: () => void
  known: readonly TimeseriesDescription[]
  /** Highlighted in the text, with its message. */
  position: Position | undefined
  message: string | undefined
}

/**
 * The query editor. Rendered in a shadow root, where the library uses constructed style sheets; elsewhere it writes
 * style elements, which the server's content security policy refuses.
 */
export function OxqlEditor({ ref, value, position, message = '', ...callbacks }: Props) {
  const host = useRef<HTMLDivElement>(null)
  const editor = useRef<EditorView>(undefined)
  const latest = useRef({ value, ...callbacks })
  const { line, column } = position ?? {}
  useLayoutEffect(() => {
    latest.current = { value, ...callbacks }
  })

  useEffect(() => {
    const element = host.current
    if (!element) return
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' })
    const view = new EditorView({
      root,
      parent: root,
      doc: latest.current.value,
      extensions: extensionsFor(() => latest.current),
    })
    editor.current = view
    return () => {
      view.destroy()
      editor.current = undefined
    }
  }, [])

  useEffect(() => {
    const view = editor.current
    const text = view?.state.doc.toString()
    if (view && text !== value)
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: value } })
  }, [value])

  useEffect(() => {
    const view = editor.current
    if (!view) return
    const marks =
      line === undefined || column === undefined
        ? []
        : [
            {
              ...marked(view.state, offsetOf(view.state, { line, column })),
              message,
              severity: 'error' as const,
            },
          ]
    view.dispatch(setDiagnostics(view.state, marks))
  }, [line, column, message])

  useImperativeHandle(
    ref,
    () => ({
      goTo(to) {
        const view = editor.current
        if (!view) return
        view.dispatch({ selection: { anchor: offsetOf(view.state, to) }, scrollIntoView: true })
        view.focus()
      },
    }),
    [],
  )

  return (
    <div
      ref={host}
      role="group"
      aria-label="Query editor"
      className="min-w-0 rounded-control border border-control-line bg-raised focus-within:outline-2 focus-within:-outline-offset-1 focus-within:outline-focus"
    />
  )
}

type Latest = Omit<Props, 'ref' | 'position' | 'message'>

const extensionsFor = (latest: () => Latest) => [
  lineNumbers(),
  history(),
  bracketMatching(),
  oxql,
  syntaxHighlighting(oxqlColours),
  autocompletion({ override: [(context) => completionsAt(context, latest().known)], icons: false }),
  EditorView.lineWrapping,
  EditorView.contentAttributes.of({
    'aria-label': 'Query',
    'aria-description': 'Control and Enter run the query. Tab leaves the editor.',
    spellcheck: 'false',
    autocapitalize: 'off',
    autocorrect: 'off',
  }),
  EditorState.changeFilter.of((change) => {
    const isShort = !change.docChanged || !isLonger(change.newDoc.toString(), timeseriesQueryMax)
    if (!isShort) latest().onTooLong()
    return isShort
  }),
  EditorView.domEventHandlers({ beforeinput: typeOver }),
  EditorView.updateListener.of(({ docChanged, state }) => {
    const text = state.doc.toString()
    if (docChanged && text !== latest().value) latest().onChange(text)
  }),
  Prec.highest(
    keymap.of(
      ['Mod-Enter', 'Ctrl-Enter'].map((key) => ({
        key,
        run: ({ state }) => {
          latest().onRun(state.doc.toString())
          return true
        },
      })),
    ),
  ),
  // Excludes Tab, which leaves the editor.
  keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap]),
  editorLook,
]

function completionsAt(context: CompletionContext, known: readonly TimeseriesDescription[]) {
  const { from, completions } = oxqlCompletions(context.state.sliceDoc(0, context.pos), known)
  if (completions.length === 0) return null
  const options = completions.map(({ word, kind, description }): Completion => ({
    label: word,
    type: kind,
    info: description,
  }))
  return { from, options, validFor: /^@?[\w:]*$/ }
}

/** The offset of a position; the end of the text if it is shorter. */
function offsetOf({ doc }: EditorState, { line, column }: Position): number {
  if (line > doc.lines) return doc.length
  const { from, to } = doc.line(line)
  return Math.min(to, from + column - 1)
}

/** The word at an offset, or the last word at the end of the text. */
function marked({ doc }: EditorState, at: number): { from: number; to: number } {
  const [word = ''] = /^(\w+|\W)?/.exec(doc.sliceString(at, at + 64)) ?? []
  return word.trim() === '' ? { from: Math.max(0, at - 1), to: at } : { from: at, to: at + word.length }
}
