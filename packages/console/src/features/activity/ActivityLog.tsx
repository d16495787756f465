// @chunk activity-log: of the accounts of all kinds of places, which no list or form needs.
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useCurrentUser } from '#/data/current-user.ts'
import { withoutEmpty } from '#/kit/inputs/without-empty.ts'
import { Foot } from '#/kit/list/foot.tsx'
import { NothingMatches } from '#/kit/list/NothingMatches.tsx'
import type { ListPage } from '#/kit/list/use-list-page.ts'
import { SectionError } from '#/kit/page/SectionError.tsx'
import { Pagination } from '#/ui/data/Pagination.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { afterPaint, lazyPart } from '#/ui/lazy-part.tsx'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import { ActivityFilter } from './ActivityFilter.tsx'
import { byDay } from './days.ts'
import { EntryRow } from './EntryRow.tsx'
import { SearchFurther } from './SearchFurther.tsx'
import { type ActivityEntry, type ActivityScope, isOwn, type Picked } from './queries.ts'
import { type ActivitySearch, isNarrowed, noFilters } from './search.ts'

const ExportMenu = lazyPart(
  afterPaint(() => import('./ExportMenu.tsx')),
  'ExportMenu',
  <div className="h-control w-24" />,
)
const PickBar = lazyPart(() => import('./PickBar.tsx'), 'PickBar')

interface Props {
  scope: ActivityScope
  search: ActivitySearch
  list: ListPage<ActivityEntry>
}

/** What happened, by day, with its filter; all of it is in the URL. */
export function ActivityLog({ scope, search, list }: Props) {
  const navigate = useNavigate()
  const { id: userId } = useCurrentUser()
  // Undefined until the user wants to select some.
  const [picked, setPicked] = useState<Picked>()
  // What else is in the URL, such as the tab of a page, stays.
  const ask = (change: ActivitySearch) =>
    void navigate({
      to: '.',
      search: (current: object) => withoutEmpty({ ...current, ...change }),
      replace: true,
      resetScroll: false,
    })
  const clear = () => ask(noFilters)
  const { rows, failure, timeSearched, nextPage } = list
  if (failure?.statusCode === 404 && !rows) throw failure
  return (
    <>
      <ActivityFilter
        scope={scope}
        search={search}
        people={(rows ?? []).flatMap(({ actor }) => actor.name ?? [])}
        onChange={(change) => ask({ ...change, page: undefined })}
        onClear={clear}
        tools={
          <ExportMenu scope={scope} search={search} onPick={() => setPicked((now) => now ?? new Map())} />
        }
      />
      {picked && (
        <PickBar
          scope={scope}
          search={search}
          picked={picked}
          own={(rows ?? []).filter((entry) => isOwn(entry, userId))}
          onPick={setPicked}
        />
      )}
      {failure && <SectionError failure={failure} onRetry={list.refresh} />}
      {rows ? (
        <Days
          scope={scope}
          rows={rows}
          pick={
            picked && {
              isPicked: (entry) => picked.has(entry.id),
              canPick: (entry) => isOwn(entry, userId),
              toggle: (entry) => setPicked(toggled(picked, entry)),
            }
          }
          now={list.updatedAt ?? new Date(0)}
          empty={timeSearched ? null : isNarrowed(search) ? <NothingMatches onClear={clear} /> : nothing}
        />
      ) : (
        !failure && <Loading />
      )}
      {rows && timeSearched && (nextPage !== undefined || list.isTurning) && (
        <SearchFurther
          timeSearched={timeSearched}
          isEmpty={rows.length === 0}
          isTurning={list.isTurning}
          // Pages without a match are no places to go back to.
          onFurther={rows.length > 0 && list.onNext ? list.onNext : () => ask({ page: nextPage })}
        />
      )}
      {rows && Boolean(list.onPrevious ?? list.onNext) && (
        <Foot>
          <Pagination
            page={list.position.number}
            pageSize={list.limit}
            loading={list.isTurning}
            onPrevious={list.onPrevious}
            onNext={list.onNext}
          />
        </Foot>
      )}
    </>
  )
}

function toggled(picked: Picked, entry: ActivityEntry): Picked {
  const next = new Map(picked)
  if (!next.delete(entry.id)) next.set(entry.id, entry)
  return next
}

const nothing = (
  <EmptyState title="Nothing happened yet">
    Whatever is created, changed or deleted here appears with who did it. Entries are kept for as long as the
    installation is set to.
  </EmptyState>
)

const zone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone

interface Picking {
  isPicked: (entry: ActivityEntry) => boolean
  canPick: (entry: ActivityEntry) => boolean
  toggle: (entry: ActivityEntry) => void
}

interface DaysProps {
  scope: ActivityScope
  rows: readonly ActivityEntry[]
  /** While the user selects entries. */
  pick: Picking | undefined
  /** When they were read, by which the days have their names. */
  now: Date
  empty: ReactNode
}

function Days({ scope, rows, pick, now, empty }: DaysProps) {
  if (rows.length === 0) return empty
  const gone = new Set(
    rows.flatMap(({ outcome, changes: [lead] }) =>
      lead?.action === 'deleted' && outcome !== 'refused' ? [lead.id] : [],
    ),
  )
  return (
    <div className="space-y-4">
      {byDay(rows, now).map(({ key, title, date, items }, index) => (
        <section key={key} aria-label={title}>
          <h2 className="flex flex-wrap items-baseline gap-x-2 border-b border-line py-1.5 text-base">
            {title}
            <span className="text-sm font-normal text-muted">
              {date}
              {index === 0 && ` · times in ${zone()}`}
            </span>
          </h2>
          <ol>
            {items.map((entry) => (
              <EntryRow
                key={entry.id}
                entry={entry}
                scope={scope}
                isGone={gone.has(entry.changes[0]?.id ?? '')}
                picked={pick?.canPick(entry) ? pick.isPicked(entry) : undefined}
                onPick={pick && (() => pick.toggle(entry))}
              />
            ))}
          </ol>
        </section>
      ))}
    </div>
  )
}

/** As high as a short page of entries. */
const Loading = () => (
  <div aria-busy className="space-y-4 pt-3">
    {Array.from({ length: 8 }, (_, index) => (
      <div key={index} className="flex gap-4">
        <Skeleton className="h-4 w-16" />
        <Skeleton className="size-6" />
        <Skeleton className="h-4 w-72" />
      </div>
    ))}
  </div>
)
