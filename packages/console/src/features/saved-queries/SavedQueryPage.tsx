import { Outlet, useParams } from '@tanstack/react-router'
import { filterNoun } from '@gantry/api/metrics/filter-noun.rules'
import { measuredText } from '@gantry/api/metrics/threshold-words.rules'
import { useSuspenseQuery } from '@tanstack/react-query'
import type { ActivityScope } from '#/features/activity/queries.ts'
import { WithActivity, type WithActivitySearch } from '#/features/activity/WithActivity.tsx'
import { PageHead } from '#/kit/list/ListPage.tsx'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { DescriptionItem, TimeItems } from '#/kit/page/plate-items.tsx'
import { actionMenu } from '#/kit/list/row-menu.tsx'
import { useViewed } from '#/kit/page/use-viewed.ts'
import { buttonClass } from '#/ui/Button.tsx'
import { CopyableId } from '#/ui/CopyButton.tsx'
import { DataItem, DataPlate } from '#/ui/data/DataPlate.tsx'
import { DateTime } from '#/ui/data/DateTime.tsx'
import { formatNumber, sentenceCase } from '#/ui/data/format.ts'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { Note } from '#/ui/feedback/Note.tsx'
import { ObjectActions } from '#/kit/page/ObjectActions.tsx'
import { fieldWords, isId, type ObjectNames, wholeField } from '#/features/object-names/field-words.ts'
import { WithIds } from '#/features/object-names/WithIds.tsx'
import { useObjectNames } from '#/features/object-names/use-object-names.ts'
import { explorerLink, savedQueriesLink, savedQueryLink } from './links.ts'
import { SavedQueryDocs, thresholdWords, WatchPlate } from './parts.tsx'
import {
  type SavedQuery,
  savedQueryHistory,
  savedQueryView,
  type Scope,
  type Watch,
  type WatchEvent,
} from './queries.ts'
import { useSavedQueryActions } from './use-saved-query-actions.tsx'

const MatchesLink = lazyPart(() => import('./MatchesLink.tsx'), 'MatchesLink')

interface Props {
  /** Of the fleet only where the page is, whose code others do not load. */
  scope: ActivityScope
  asked: WithActivitySearch
}

/** One saved query: its text, the result of its threshold, and the history of its state. */
export function SavedQueryPage({ scope, asked }: Props) {
  const { project, query: name = '' } = useParams({ strict: false })
  const { data: saved, onDelete } = useViewed(savedQueryView(project, name), savedQueriesLink(project))
  const actions = useSavedQueryActions(project, onDelete)
  return (
    <>
      <PageHead
        title={saved.name}
        docs={<SavedQueryDocs />}
        actions={
          <>
            {saved.filterOf && project !== undefined ? (
              <MatchesLink project={project} filterOf={saved.filterOf} filter={saved.query} />
            ) : (
              <PageLink {...explorerLink(project, saved.query)} className={buttonClass({ kind: 'default' })}>
                Run query
              </PageLink>
            )}
            <ObjectActions
              title={saved.name}
              label="Saved query actions"
              entries={() => actionMenu(actions(saved))}
            />
          </>
        }
      />
      <Plate saved={saved} />
      <div className="mt-4">
        <WithActivity
          label="Saved query"
          contents="Threshold"
          link={savedQueryLink(project, name)}
          activityLink={{ ...savedQueryLink(project, name), search: { tab: 'activity' } }}
          scope={{ ...scope, object: saved.id }}
          asked={asked}
        >
          {saved.watch && <Found saved={saved} watch={saved.watch} />}
          <History project={project} saved={saved} />
        </WithActivity>
      </div>
      {/* The form opens over the page. */}
      <Outlet />
    </>
  )
}

function Plate({ saved }: { saved: SavedQuery }) {
  return (
    <DataPlate>
      <DataItem label={saved.filterOf ? 'Filter' : 'Query'} wide>
        <code className="font-mono text-[0.8125rem] whitespace-pre-wrap wrap-anywhere">{saved.query}</code>
      </DataItem>
      {saved.filterOf && (
        <DataItem label="Objects">{`${sentenceCase(filterNoun(saved.filterOf))}s`}</DataItem>
      )}
      <DescriptionItem description={saved.description} />
      <DataItem label="Threshold">{saved.threshold ? thresholdWords(saved) : 'None'}</DataItem>
      {saved.watch && (
        <>
          <DataItem label="State">
            <WatchPlate state={saved.watch.state} />
          </DataItem>
          <DataItem label="Since">
            <DateTime value={saved.watch.since} />
          </DataItem>
          <DataItem label="Evaluated">
            {saved.watch.timeEvaluated ? <DateTime value={saved.watch.timeEvaluated} /> : 'Not yet'}
          </DataItem>
        </>
      )}
      <DataItem label="ID">
        <CopyableId id={saved.id} max={24} />
      </DataItem>
      <TimeItems of={saved} changed="Updated" />
    </DataPlate>
  )
}

/* Rows wrap, because names of timeseries are long and a phone has no room for columns. */
const rowsClass = 'rounded-block border border-line'
const rowClass =
  'flex flex-wrap items-center gap-x-5 gap-y-1 border-b border-faint-line px-3.5 py-2 last:border-0'
const fieldsClass = 'min-w-0 grow basis-72 font-mono text-xs wrap-anywhere'

type Breach = Watch['breaches'][number]

const fieldsText = (
  { fields }: Breach,
  names: ObjectNames,
  { filterOf }: Pick<SavedQuery, 'filterOf'>,
): string =>
  filterOf
    ? 'All that match'
    : fields.length === 0
      ? 'All together'
      : fields.map((field) => fieldWords(field, names)).join(' ')
const keyOf = ({ fields }: Breach): string => fields.map(wholeField).join(' ')

const idsOf = (breaches: readonly Breach[]): string[] =>
  breaches.flatMap(({ fields }) => fields.filter(isId).map(({ value }) => value))

function Found({ saved, watch }: { saved: SavedQuery; watch: Watch }) {
  const { query, filterOf } = saved
  const { problem, breaches, breaching } = watch
  const names = useObjectNames(idsOf(breaches))
  if (problem !== null)
    return (
      <div className="mt-5">
        <Note kind="fail" title={`The ${filterOf ? 'filter' : 'query'} could not be evaluated`}>
          <p>{problem}</p>
        </Note>
      </div>
    )
  if (breaching === 0) return null
  return (
    <section aria-label="Beyond the threshold" className="mt-5 space-y-2">
      <h2 className="text-md">Beyond the threshold</h2>
      <ul
        aria-label={filterOf ? 'Objects that match' : 'Timeseries beyond the threshold'}
        className={rowsClass}
      >
        {breaches.map((breach) => (
          <li key={keyOf(breach)} className={rowClass}>
            <span className={fieldsClass}>
              <WithIds ids={breach.fields.filter(isId).map(wholeField)}>
                {fieldsText(breach, names, saved)}
              </WithIds>
            </span>
            <span className="tabular-nums">{measuredText(query, filterOf, breach.value)}</span>
            <span className="text-sm text-muted">
              since <DateTime value={breach.since} />
            </span>
            <WatchPlate state={breach.isFiring ? 'firing' : 'pending'} />
          </li>
        ))}
      </ul>
      {breaching > breaches.length && (
        <p className="text-sm text-muted">
          {breaches.length} of {formatNumber(breaching)} timeseries are shown. Run the query to see all.
        </p>
      )}
    </section>
  )
}

function History({ project, saved }: { project: Scope; saved: SavedQuery }) {
  const { data } = useSuspenseQuery(savedQueryHistory(project, saved.name))
  const names = useObjectNames(data.items.flatMap(({ breaches }) => idsOf(breaches.slice(0, 1))))
  if (!saved.threshold && data.items.length === 0) return null
  return (
    <section aria-label="History" className="mt-5 space-y-2">
      <h2 className="text-md">History</h2>
      {data.items.length === 0 ? (
        <p className="text-muted">The first evaluation will appear here.</p>
      ) : (
        <ul aria-label="Changes of state" className={rowsClass}>
          {data.items.map((event) => (
            <li key={event.id} className={rowClass}>
              <span className="w-44">
                <DateTime value={event.time} />
              </span>
              <span className="w-24">
                <WatchPlate state={event.state} />
              </span>
              <span className={fieldsClass}>{foundText(event, names, saved)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function foundText(
  { problem, breaching, breaches: [first] }: WatchEvent,
  names: ObjectNames,
  saved: SavedQuery,
): string {
  if (problem !== null) return problem
  if (breaching === 0 || !first) return 'Nothing beyond the threshold'
  if (saved.filterOf) return measuredText(saved.query, saved.filterOf, first.value)
  const fields = fieldsText(first, names, saved)
  return breaching === 1 ? fields : `${fields} and ${formatNumber(breaching - 1)} more`
}
