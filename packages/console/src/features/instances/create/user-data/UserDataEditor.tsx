// @chunk apart: the editor and its YAML parser are large.
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { bracketMatching, indentUnit, syntaxHighlighting } from '@codemirror/language'
import { type Diagnostic, linter } from '@codemirror/lint'
import { EditorView, keymap, lineNumbers } from '@codemirror/view'
import { type Ref, useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react'
import { instanceLimits } from '@gantry/api/compute/instance.rules'
import { classes } from '#/ui/classes.ts'
import { formatNumber } from '#/ui/data/format.ts'
import { editorLook, typeOver } from '#/ui/editor/editor-look.ts'
import { Note } from '#/ui/feedback/Note.tsx'
import { cloudConfigProblems, type ConfigProblem } from './cloud-config.ts'
import { bytesOfText } from './user-data.ts'
import { userDataColours, userDataLanguage } from './user-data-look.ts'

interface Props {
  ref?: Ref<{ focus: () => void }>
  value: string
  onChange: (text: string) => void
  onBlur: () => void
  isInvalid: boolean
}

/**
 * The text of user data. In a shadow root, where the library uses constructed style sheets; elsewhere it writes style
 * elements, which the server's content security policy refuses.
 */
export function UserDataEditor({ ref, value, isInvalid, ...callbacks }: Props) {
  const host = useRef<HTMLDivElement>(null)
  const editor = useRef<EditorView>(undefined)
  const latest = useRef({ value, ...callbacks })
  const [problems, setProblems] = useState<readonly ConfigProblem[]>([])
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
      extensions: [checked(setProblems), ...extensionsFor(() => latest.current)],
    })
    editor.current = view
    return () => {
      view.destroy()
      editor.current = undefined
    }
  }, [])

  useEffect(() => {
    const view = editor.current
    if (view && view.state.doc.toString() !== value)
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: value } })
  }, [value])

  useImperativeHandle(ref, () => ({ focus: () => editor.current?.focus() }), [])

  const bytes = bytesOfText(value)
  const isOver = bytes > instanceLimits.userData
  return (
    <>
      <div
        ref={host}
        role="group"
        aria-label="Editor"
        className={classes(
          'min-w-0 rounded-control border bg-raised focus-within:outline-2 focus-within:-outline-offset-1 focus-within:outline-focus',
          isInvalid || isOver ? 'border-fail-fill' : 'border-control-line',
        )}
      />
      <p className={classes('mt-1 text-sm tabular-nums', isOver ? 'text-fail-text' : 'text-muted')}>
        {formatNumber(bytes)} of {formatNumber(instanceLimits.userData)} bytes
        {isOver && `, ${formatNumber(bytes - instanceLimits.userData)} too many`}
      </p>
      {/* Always there, because only a change of it is announced. */}
      <div role="status" className="mt-2 empty:hidden">
        {problems.length > 0 && <Problems problems={problems} />}
      </div>
    </>
  )
}

const Problems = ({ problems }: { problems: readonly ConfigProblem[] }) => (
  <Note kind="busy" title="cloud-init cannot read this cloud-config">
    <ul>
      {problems.map(({ line, column, message }) => (
        <li key={`${line}:${column}:${message}`}>
          Line {line}, column {column}: {message}.
        </li>
      ))}
    </ul>
    <p>The instance can still be created, but would start without these settings.</p>
  </Note>
)

type Latest = Omit<Props, 'ref' | 'isInvalid'>

/** Checks a moment after the last key, and only what could be sent. */
const checked = (show: (problems: readonly ConfigProblem[]) => void) =>
  linter(
    ({ state }) => {
      const text = state.doc.toString()
      const problems = text.length > instanceLimits.userData ? [] : cloudConfigProblems(text)
      show(problems)
      return problems.map(({ from, to, message }): Diagnostic => ({
        // A mark of no width would not show.
        from: from === to && from > 0 ? from - 1 : from,
        to,
        message,
        severity: 'error',
      }))
    },
    { delay: 300 },
  )

const extensionsFor = (latest: () => Latest) => [
  lineNumbers(),
  history(),
  bracketMatching(),
  indentUnit.of('  '),
  userDataLanguage,
  syntaxHighlighting(userDataColours),
  EditorView.lineWrapping,
  EditorView.contentAttributes.of({
    'aria-label': 'User data text',
    'aria-description': 'Tab leaves the editor.',
    spellcheck: 'false',
    autocapitalize: 'off',
    autocorrect: 'off',
  }),
  EditorView.domEventHandlers({ beforeinput: typeOver, blur: () => latest().onBlur() }),
  EditorView.updateListener.of(({ docChanged, state }) => {
    const text = state.doc.toString()
    if (docChanged && text !== latest().value) latest().onChange(text)
  }),
  // Excludes Tab, which leaves the editor.
  keymap.of([...defaultKeymap, ...historyKeymap]),
  editorLook,
]
