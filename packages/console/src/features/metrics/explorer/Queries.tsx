import { useQuery } from '@tanstack/react-query'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { SectionError } from '#/kit/page/SectionError.tsx'
import { useHasExtensions } from '#/kit/page/use-served.ts'
import { savedQueriesLink } from '#/features/saved-queries/links.ts'
import { allSavedQueries, type Scope } from '#/features/saved-queries/queries.ts'
import { Dialog } from '#/ui/overlays/Dialog.tsx'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import type { queryHistory } from './query-history.ts'

interface Props {
  project: Scope
  history: ReturnType<typeof queryHistory>
  onOpen: (query: string) => void
  onClose: () => void
}

/** Saved queries, and the queries last run in this browser. */
export function Queries({ project, history, onOpen, onClose }: Props) {
  const run = history.all()
  return (
    <Dialog title="Queries" width="free" onRequestClose={onClose}>
      {useHasExtensions() && (
        <div className="mb-4">
          <div className="flex items-baseline justify-between gap-4">
            <h3 className="text-base">Saved</h3>
            <PageLink {...savedQueriesLink(project)} className="link text-sm">
              Manage saved queries
            </PageLink>
          </div>
          <Saved project={project} onOpen={onOpen} />
        </div>
      )}
      <h3 className="text-base">Run before</h3>
      {run.length === 0 && <p className="text-muted">The last 20 queries that you run appear here.</p>}
      <ul>
        {run.map((query) => (
          <li key={query} className="flex border-t border-faint-line py-1.5">
            <QueryLine query={query} onOpen={onOpen} />
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

function Saved({ project, onOpen }: Pick<Props, 'project' | 'onOpen'>) {
  const { data, error, refetch } = useQuery(allSavedQueries(project))
  if (data === undefined)
    return error ? (
      <SectionError failure={error} onRetry={() => void refetch()} />
    ) : (
      <Skeleton className="my-2 h-4 w-48" />
    )
  if (data.length === 0) return <p className="text-muted">No saved queries.</p>
  return (
    <ul>
      {data.map(({ id, name, query }) => (
        <li key={id} className="flex border-t border-faint-line py-1.5">
          <QueryLine name={name} query={query} onOpen={onOpen} />
        </li>
      ))}
    </ul>
  )
}

interface LineProps {
  name?: string
  query: string
  onOpen: (query: string) => void
}

const QueryLine = ({ name, query, onOpen }: LineProps) => (
  <button
    type="button"
    className="wash min-w-0 grow rounded-control px-2 py-1 text-left"
    onClick={() => onOpen(query)}
  >
    {name && <span className="block font-medium text-strong">{name}</span>}
    <span className="line-clamp-2 font-mono text-xs wrap-anywhere text-muted">{query}</span>
  </button>
)
