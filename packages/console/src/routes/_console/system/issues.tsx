import { issueKinds, issueLimits } from '@gantry/api/system/system.rules'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { DocsPopover } from '#/kit/page/DocsPopover.tsx'
import { ListPage } from '#/kit/list/ListPage.tsx'
import { ClearFilters } from '#/kit/list/ClearFilters.tsx'
import { NothingMatches } from '#/kit/list/NothingMatches.tsx'
import { SectionError } from '#/kit/page/SectionError.tsx'
import { IssueItems } from '#/features/system/IssueItems.tsx'
import { issueQuery, type IssueSearch, issueSearch, issueStates } from '#/features/system/issue-search.ts'
import { systemIssues } from '#/features/system/queries.ts'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { formatSeries } from '#/ui/data/format-amounts.ts'
import { sentenceCase } from '#/ui/data/format.ts'
import { Note } from '#/ui/feedback/Note.tsx'
import { Select } from '#/ui/inputs/Select.tsx'

export const Route = createFileRoute('/_console/system/issues')({
  validateSearch: issueSearch,
  loader: ({ context, location }) => context.prefetch(systemIssues(issueQuery(issueSearch(location.search)))),
  staticData: { crumb: { label: 'Issues', to: '/system/issues' } },
  component: Issues,
})

function Issues() {
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  const query = issueQuery(search)
  const { data, error, refetch } = useQuery({
    ...systemIssues(query),
    placeholderData: keepPreviousData,
  })
  const ask = (wanted: IssueSearch) =>
    void navigate({
      search: { state: wanted.state || undefined, kind: wanted.kind || undefined },
      replace: true,
      resetScroll: false,
    })
  const clear = () => ask({})
  const isNarrowed = Object.keys(query).length > 0
  return (
    <ListPage
      title="Issues"
      docs={
        <DocsPopover topic="issues" page="hardware#issues-and-alerts">
          Faults, failed instances and jobs, nearly full IP pools and quotas, certificates about to expire,
          and crossed thresholds of saved queries. Open issues come first.
        </DocsPopover>
      }
    >
      <IssueFilter search={search} onChange={(change) => ask({ ...search, ...change })} onClear={clear} />
      {error && <SectionError failure={error} onRetry={() => void refetch()} />}
      {data && data.cut.length > 0 && (
        <Note className="mb-4">
          Only the first {issueLimits.listed} of each kind are listed. There are more of{' '}
          {formatSeries(data.cut.map(sentenceCase))}.
        </Note>
      )}
      {data && data.items.length > 0 && (
        <div className="rounded-block border border-line">
          <IssueItems label="Issues" issues={data.items} />
        </div>
      )}
      {data?.items.length === 0 &&
        (isNarrowed ? (
          <NothingMatches onClear={clear} />
        ) : (
          <EmptyState title="No issues">
            Nothing is wrong now, and nothing was in the last {issueLimits.pastDays} days.
          </EmptyState>
        ))}
    </ListPage>
  )
}

const optionsOf = (any: string, values: readonly string[]) => [
  { value: '', label: any },
  ...values.map((value) => ({ value, label: sentenceCase(value) })),
]

const stateOptions = optionsOf('Open and past', issueStates)
const kindOptions = optionsOf('Any kind', issueKinds)

interface Props {
  search: IssueSearch
  onChange: (change: IssueSearch) => void
  onClear: () => void
}

/** Filters the issues by state and kind. */
function IssueFilter({ search, onChange, onClear }: Props) {
  const value = (options: typeof stateOptions, wanted: string | undefined) =>
    options.some((option) => option.value === wanted) ? wanted : ''
  return (
    <search className="mb-4 flex flex-wrap items-center gap-2">
      <Select
        small
        aria-label="State"
        options={stateOptions}
        value={value(stateOptions, search.state)}
        onChange={(state) => onChange({ state })}
      />
      <Select
        small
        aria-label="Kind"
        options={kindOptions}
        value={value(kindOptions, search.kind)}
        onChange={(kind) => onChange({ kind })}
      />
      {(search.state || search.kind) && <ClearFilters onClear={onClear} />}
    </search>
  )
}
