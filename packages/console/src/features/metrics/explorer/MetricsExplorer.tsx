// @chunk apart: the editor is large.
import { timeseriesQueryMax } from '@gantry/api/metrics/metric.rules'
import { firstOf } from '@gantry/api/base/text.rules'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useCurrentUser } from '#/data/current-user.ts'
import type { Failure } from '#/data/failure.ts'
import { SectionError } from '#/kit/page/SectionError.tsx'
import { useHasExtensions } from '#/kit/page/use-served.ts'
import { Button } from '#/ui/Button.tsx'
import { ErrorNote, Note } from '#/ui/feedback/Note.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { Segmented } from '#/ui/inputs/Segmented.tsx'
import { type TimeseriesDescription, projectTimeseries, timeseriesOf } from './timeseries-descriptions.ts'
import { type EditorHandle, OxqlEditor } from './OxqlEditor.tsx'
import { answerOf, type ErrorPosition, errorPositionOf, sampledSchemas, type Within } from './queries.ts'
import { Queries } from './Queries.tsx'
import { queryHistory } from './query-history.ts'
import { ResultView } from './ResultView.tsx'

/* Loads separately, because its form needs a library that running a query does not. */
const SaveQuery = lazyPart(() => import('./SaveQuery.tsx'), 'SaveQuery')

/** Runs queries over the timeseries of a project or of the whole fleet. */
export const MetricsExplorer = ({ project }: { project?: string }) =>
  project === undefined ? <SystemExplorer /> : <ProjectExplorer project={project} />

const ProjectExplorer = ({ project }: { project: string }) => (
  <Explorer
    within={{ project }}
    known={projectTimeseries}
    example="get virtual_disk:bytes_written | filter timestamp > @now() - 15m | align mean_within(30s)"
  />
)

function SystemExplorer() {
  // Without the list, queries still run; only the suggestions are missing.
  const { data: schemas = [] } = useQuery(sampledSchemas)
  return (
    <Explorer
      within={{}}
      known={schemas.map(timeseriesOf)}
      example="get hardware_component:temperature | filter timestamp > @now() - 15m | align mean_within(30s)"
    />
  )
}

interface Props {
  within: Within
  known: readonly TimeseriesDescription[]
  /** Fills the editor until the URL has a query. */
  example: string
}

const views = [
  { value: 'chart', label: 'Chart' },
  { value: 'table', label: 'Table' },
] as const

const tooLong = `A query has at most ${timeseriesQueryMax.toLocaleString()} characters.`

function Explorer({ within, known, example }: Props) {
  const navigate = useNavigate()
  const search: { q?: string; view?: string } = useSearch({ strict: false })
  const asked = search.q && firstOf(search.q, timeseriesQueryMax)
  const view = search.view === 'table' ? 'table' : 'chart'
  const canSave = useHasExtensions()
  const history = queryHistory(useCurrentUser().id)
  const editor = useRef<EditorHandle>(null)
  const [text, setText] = useState(asked ?? example)
  const [shown, setShown] = useState(asked)
  const [limit, setLimit] = useState<string>()
  const [dialog, setDialog] = useState<'save' | 'queries'>()
  const answer = useQuery(answerOf(within, asked))
  // Back and Forward replace the editor's text with the query of the URL.
  if (shown !== asked) {
    setShown(asked)
    setText(asked ?? example)
  }

  const show = (change: { q?: string; view?: string }) =>
    void navigate({ to: '.', search: (old) => ({ ...old, ...change }), resetScroll: false })
  const run = (query: string) => {
    if (query.trim() === '') return setLimit('Enter a query.')
    history.add(query)
    setLimit(undefined)
    if (query === asked) void answer.refetch()
    else show({ q: query })
  }
  const change = (next: string) => {
    setText(next)
    setLimit(undefined)
  }
  const failure = answer.error ?? undefined
  const position = failure && text === asked ? errorPositionOf(failure) : undefined
  const close = () => setDialog(undefined)

  return (
    <div className="space-y-4">
      <div className="space-y-2">
        <OxqlEditor
          ref={editor}
          value={text}
          onChange={change}
          onRun={run}
          onTooLong={() => setLimit(tooLong)}
          known={known}
          position={position}
          message={failure?.message}
        />
        <div className="flex flex-wrap items-center gap-2">
          <Button kind="primary" pending={answer.isFetching} onClick={() => run(text)}>
            Run query
          </Button>
          {canSave && (
            <Button
              onClick={() => setDialog('save')}
              disabledReason={text.trim() === '' && 'Enter a query first.'}
            >
              Save query
            </Button>
          )}
          <Button onClick={() => setDialog('queries')}>Queries</Button>
          <p className="text-sm text-muted">
            Ctrl+Enter runs the query, Ctrl+Space shows completions. Tab leaves the editor.
          </p>
        </div>
        {limit && <ErrorNote errors={[limit]} />}
      </div>
      {asked !== undefined && (
        <section aria-label="Result" className="space-y-3 rounded-block border border-line p-4">
          <div className="flex flex-wrap items-center justify-between gap-2">
            <h2 className="text-base">Result</h2>
            <Segmented
              label="View"
              options={views}
              value={view}
              onChange={(value) => show({ view: value })}
            />
          </div>
          {failure ? (
            <Refused
              failure={failure}
              position={errorPositionOf(failure)}
              onGo={(at) => editor.current?.goTo(at)}
              onRetry={() => void answer.refetch()}
            />
          ) : answer.data ? (
            <ResultView tables={answer.data} known={known} view={view} />
          ) : (
            <div
              role="status"
              aria-label="Result loading"
              className="chart-blank animate-pulse motion-reduce:animate-none"
            />
          )}
        </section>
      )}
      {dialog === 'save' && <SaveQuery project={within.project} query={text} onClose={close} />}
      {dialog === 'queries' && (
        <Queries
          project={within.project}
          history={history}
          onClose={close}
          onOpen={(query) => {
            change(query)
            close()
          }}
        />
      )}
    </div>
  )
}

interface RefusedProps {
  failure: Failure
  position: ErrorPosition | undefined
  onGo: (position: ErrorPosition) => void
  onRetry: () => void
}

/** Why there is no result: the position of an error in the query, or another failure. */
function Refused({ failure, position, onGo, onRetry }: RefusedProps) {
  if (!position) return <SectionError failure={failure} onRetry={onRetry} />
  const { line, column, expected } = position
  return (
    <Note
      kind="fail"
      title={`Syntax error at line ${line}, column ${column}`}
      action={<Button onClick={() => onGo(position)}>Go to error</Button>}
    >
      {expected.length > 0 && <p>Expected {expected.join(', ')}.</p>}
      <p className="font-mono text-xs">{failure.message}</p>
    </Note>
  )
}
