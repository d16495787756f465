import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useId } from 'react'
import { withoutEmpty } from '#/kit/inputs/without-empty.ts'
import { ClearFilters } from '#/kit/list/ClearFilters.tsx'
import { FilterInput } from '#/kit/list/FilterInput.tsx'
import { ListPage } from '#/kit/list/ListPage.tsx'
import { NothingMatches } from '#/kit/list/NothingMatches.tsx'
import { ResourceTable } from '#/kit/list/ResourceTable.tsx'
import { useListPage } from '#/kit/list/use-list-page.ts'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { buttonClass } from '#/ui/Button.tsx'
import type { Column } from '#/ui/data/column.ts'
import { DateTime } from '#/ui/data/DateTime.tsx'
import { EmptyCell } from '#/ui/data/Truncate.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { inputClass } from '#/ui/inputs/Field.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { AlertDocs } from '../parts.tsx'
import { allAlertClasses } from '../queries.ts'
import { AlertLink } from './AlertLink.tsx'
import { type Alert, classProblem, raisedAlerts } from './queries.ts'
import type { RaisedSearch } from './search.ts'
import { deliveredText, toldText } from './words.ts'

const AlertPanel = lazyPart(() => import('./AlertPanel.tsx'), 'AlertPanel')

const columns: Column<Alert>[] = [
  {
    id: 'class',
    header: 'Class',
    part: 'name',
    width: '28%',
    cell: ({ id, class: name }) => <AlertLink id={id}>{name}</AlertLink>,
  },
  {
    id: 'told',
    header: 'Data',
    part: 'line',
    width: '36%',
    cell: (alert) => {
      const text = toldText(alert)
      return text ? (
        <span className="block truncate" title={text}>
          {text}
        </span>
      ) : (
        <EmptyCell />
      )
    },
  },
  {
    id: 'deliveries',
    header: 'Deliveries',
    part: 'meta',
    width: '18%',
    cell: ({ deliveries }) => (
      <span className="tabular-nums">{deliveredText(deliveries) || <EmptyCell />}</span>
    ),
  },
  {
    id: 'raised',
    header: 'Raised',
    part: 'meta',
    width: '18%',
    cell: ({ timeCreated }) => <DateTime value={timeCreated} toSecond />,
  },
]

/** Every alert that is kept, also without a receiver; one opens beside the list. */
export function RaisedAlerts({ search }: { search: RaisedSearch }) {
  const navigate = useNavigate()
  const { data: classes } = useQuery(allAlertClasses)
  const names = classes?.map(({ name }) => name)
  const problem = search.class ? classProblem(search.class, names) : undefined
  const ask = (wanted: RaisedSearch) =>
    void navigate({ to: '.', search: withoutEmpty(wanted), replace: true, resetScroll: false })
  const clear = () => ask({})
  return (
    <ListPage
      title="Raised alerts"
      docs={<AlertDocs />}
      actions={
        <PageLink to="/system/alerts" className={buttonClass()}>
          Receivers
        </PageLink>
      }
    >
      <AlertFilter
        search={search}
        names={names}
        problem={problem}
        onChange={(change) => ask({ ...search, ...change, page: undefined, alert: undefined })}
        onClear={clear}
      />
      {problem === undefined && <AlertTable search={search} onClear={clear} />}
      {search.alert && <AlertPanel id={search.alert} onClose={() => ask({ ...search, alert: undefined })} />}
    </ListPage>
  )
}

function AlertTable({ search, onClear }: { search: RaisedSearch; onClear: () => void }) {
  const isNarrowed = Boolean(search.class ?? search.from ?? search.to)
  return (
    <ResourceTable
      label="Raised alerts"
      list={useListPage(raisedAlerts(search))}
      columns={columns}
      steady
      isRecord
      empty={
        isNarrowed ? (
          <NothingMatches onClear={onClear} />
        ) : (
          <EmptyState title="No alerts">Nothing was raised in the last 30 days.</EmptyState>
        )
      }
    />
  )
}

interface FilterProps {
  search: RaisedSearch
  names: readonly string[] | undefined
  problem: string | undefined
  onChange: (change: RaisedSearch) => void
  onClear: () => void
}

function AlertFilter({ search, names, problem, onChange, onClear }: FilterProps) {
  const id = useId()
  const day = (key: 'from' | 'to', label: string) => (
    <label className="flex items-center gap-1.5 text-sm text-muted">
      {label}
      <FilterInput
        type="date"
        aria-label={label}
        value={search[key] ?? ''}
        className={`${inputClass} h-control! w-36! text-sm`}
        onApply={(value) => onChange({ [key]: value })}
      />
    </label>
  )
  return (
    <search className="mb-4 flex flex-wrap items-center gap-2">
      <FilterInput
        type="search"
        aria-label="Class or pattern"
        placeholder="Class or pattern"
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        list={`${id}classes`}
        {...(problem !== undefined && { 'aria-invalid': true, 'aria-describedby': `${id}problem` })}
        value={search.class ?? ''}
        className={`${inputClass} h-control! text-sm max-md:basis-full md:w-72`}
        onApply={(value) => onChange({ class: value })}
      />
      <datalist id={`${id}classes`}>
        {['issue.**', 'metric.**', 'activity.**', ...(names ?? [])].map((name) => (
          <option key={name}>{name}</option>
        ))}
      </datalist>
      {day('from', 'From')}
      {day('to', 'To')}
      {(search.class ?? search.from ?? search.to) && <ClearFilters onClear={onClear} />}
      <p id={`${id}problem`} role="status" className="basis-full text-sm text-fail-text empty:hidden">
        {problem}
      </p>
    </search>
  )
}
