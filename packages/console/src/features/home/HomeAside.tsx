import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import type { RunState } from '@gantry/api/compute/instance.rules'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { isAbsent } from '#/data/extensions.ts'
import type { Failure } from '#/data/failure.ts'
import { usePolling } from '#/data/live.ts'
import { sentenceOf } from '#/features/activity/words.ts'
import { type Favourite, favourites } from '#/features/favourites/queries.ts'
import { type FoundKind, objectPages, pageOf } from '#/features/found/object-pages.ts'
import { InstanceMark } from '#/features/instances/parts.tsx'
import { useObjectNames } from '#/features/object-names/use-object-names.ts'
import { capacitiesOf, utilizationView } from '#/features/utilization/capacities.ts'
import type { LinkTarget } from '#/kit/links/link-target.ts'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { recentObjects } from '#/kit/page/recent-objects.ts'
import { useStore } from '#/store.ts'
import { RelativeTime } from '#/ui/data/DateTime.tsx'
import { percentOf } from '#/ui/data/format-amounts.ts'
import { formatNumber, sentenceCase } from '#/ui/data/format.ts'
import { Gauge, GaugeSign } from '#/ui/data/Gauge.tsx'
import { StateMark } from '#/ui/data/StatePlate.tsx'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import { failedInstances, instanceStates, ownActivity, shownFailed } from './queries.ts'
import { rowClass, Section } from './Section.tsx'

const pollMs = 60_000

interface Props {
  /** Above the rest, for operators. */
  first?: ReactNode
  /** Whether that is still to come. */
  isFirstLoading?: boolean
}

/** What a user comes for: what failed, what there is, how much of the quota is left, and what was opened last. */
export function HomeAside({ first, isFirstLoading = false }: Props) {
  const live = { refetchInterval: usePolling(pollMs), retry: false }
  const isServed = !isAbsent(op.listValues)
  const failed = useQuery({ ...failedInstances, ...live, enabled: isServed })
  const states = useQuery({ ...instanceStates, ...live, enabled: isServed })
  const use = useQuery({ ...utilizationView, ...live })
  const activity = useQuery({ ...ownActivity, ...live, enabled: isServed })
  const kept = useQuery({ ...favourites, ...live })
  // All of it appears at once, so that nothing moves.
  if (isFirstLoading || [failed, states, use, activity, kept].some(({ isLoading }) => isLoading))
    return <Skeleton className="h-100 max-xl:mt-8" />
  return (
    <aside
      aria-label="Your overview"
      className="space-y-5 max-xl:mt-8 md:max-xl:columns-2 md:max-xl:gap-5 [&>section]:break-inside-avoid"
    >
      {first}
      {failed.data && failed.data.items.length > 0 && <Failed instances={failed.data.items} />}
      {!isAbsent(op.listValues) && <States items={states.data?.items} failure={states.error} />}
      {use.data && <Quota {...use.data} />}
      {kept.data && <Favourites items={kept.data.items} />}
      <Recent />
      {activity.data && activity.data.items.length > 0 && <Activity entries={activity.data.items} />}
    </aside>
  )
}

const ofState = (state: string) =>
  ({ to: '/all/instances', search: { filter: `state:${state}` } }) satisfies LinkTarget

function Failed({ instances }: { instances: OutputOf<'instanceSortedList'>['items'] }) {
  const projects = useObjectNames(instances.map(({ projectId }) => projectId))
  return (
    <Section title="Failed instances" {...(instances.length === shownFailed && { all: ofState('failed') })}>
      <ul>
        {instances.map(({ id, name, projectId, timeRunStateUpdated }) => (
          <li key={id} className={rowClass}>
            <InstanceMark state="failed" />
            <PageLink to="/lookup/i/$instance" params={{ instance: id }} className="name truncate">
              {name}
            </PageLink>
            <span className="min-w-0 grow truncate text-muted">{projects.get(projectId)}</span>
            <RelativeTime value={timeRunStateUpdated} ago />
          </li>
        ))}
      </ul>
    </Section>
  )
}

interface StatesProps {
  items: OutputOf<'listValues'>['items'] | undefined
  failure: Failure | null
}

/** Instances of all projects that the user may see. */
function States({ items, failure }: StatesProps) {
  const count = items?.reduce((sum, item) => sum + item.count, 0) ?? 0
  return (
    <Section title="Instances" all={{ to: '/all/instances' }}>
      {/* There can be too many to count in all projects together. */}
      {failure && <Note>{failure.message}</Note>}
      {!failure && count === 0 && <Note>There are none in your projects.</Note>}
      <ul>
        {items?.map(({ value, count: some }) => (
          <li key={value} className={rowClass}>
            {/* The values of this field are the states of instances. */}
            <InstanceMark state={value as RunState} />
            <PageLink {...ofState(value)} className="link grow">
              {sentenceCase(value)}
            </PageLink>
            <span className="text-strong tabular-nums">{formatNumber(some)}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

const Note = ({ children }: { children: ReactNode }) => (
  <p className="px-3.5 pb-3 text-sm text-muted">{children}</p>
)

function Quota({ provisioned, capacity }: OutputOf<'utilizationView'>) {
  return (
    <Section title="Use of the silo’s quota" all={{ to: '/utilization' }}>
      {capacitiesOf(provisioned, capacity).map(({ id, label, unit, provisioned: used, quota, inUnit }) => {
        const percent = percentOf(used, quota) ?? 0
        return (
          <div key={id} className="border-t border-faint-line px-3.5 pt-2 pb-2.5">
            <p className="mb-1.5 flex items-center gap-1.5 text-sm">
              <span className="grow font-medium text-strong">{label}</span>
              <GaugeSign percent={percent} />
              <span className="tabular-nums">
                {formatNumber(inUnit(used))} of {formatNumber(inUnit(quota))}{' '}
                <span className="text-muted">{unit}</span>
              </span>
            </p>
            <Gauge label={`${label} of the quota`} used={percent} ruler />
          </div>
        )
      })}
    </Section>
  )
}

const shownFavourites = 10

function Favourites({ items }: { items: readonly Favourite[] }) {
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? items : items.slice(0, shownFavourites)
  return (
    <Section title="Favourites">
      {items.length === 0 && <Note>The star on an object’s page keeps it here.</Note>}
      <ul>
        {shown.map(({ id, ...object }) => (
          <ObjectRow key={id} id={id} {...object} />
        ))}
      </ul>
      {shown.length < items.length && (
        <p className={rowClass}>
          <button type="button" className="link" onClick={() => setWhole(true)}>
            Show all {formatNumber(items.length)}
          </button>
        </p>
      )}
    </Section>
  )
}

interface ObjectRowProps {
  kind: FoundKind
  id: string
  name: string
  projectName: string | null
  /** When it was opened. */
  time?: Date
}

function ObjectRow({ kind, id, name, projectName, time }: ObjectRowProps) {
  const { icon: Icon, noun } = objectPages[kind]
  const link = pageOf({ kind, id, name, projectName })
  if (!link) return null
  return (
    <li className={rowClass}>
      <Icon
        role="img"
        aria-label={sentenceCase(noun)}
        className="size-4 shrink-0 text-muted"
        strokeWidth={1.75}
      />
      <PageLink {...link} className="name truncate">
        {name}
      </PageLink>
      <span className="min-w-0 grow truncate text-muted">{projectName}</span>
      {time && <RelativeTime value={time} />}
    </li>
  )
}

const shownRecent = 6

function Recent() {
  const recent = useStore(recentObjects).slice(0, shownRecent)
  return (
    <Section title="Recent">
      {recent.length === 0 && <Note>What you open appears here.</Note>}
      <ul>
        {recent.map(({ kind, name, project, at }) => (
          <ObjectRow
            key={`${kind} ${project} ${name}`}
            id=""
            time={new Date(at)}
            {...{ kind, name, projectName: project }}
          />
        ))}
      </ul>
    </Section>
  )
}

function Activity({ entries }: { entries: OutputOf<'activityList'>['items'] }) {
  return (
    <Section title="Your last activity" all={{ to: '/settings/activity' }}>
      <ul>
        {entries.map((entry) => {
          // What a change brought along is on the page of activity.
          const { before, name, after } = sentenceOf({
            ...entry,
            changes: entry.changes.slice(0, 1),
            changeCount: 1,
          })
          return (
            <li key={entry.id} className={`${rowClass} items-baseline`}>
              {entry.outcome !== 'done' && (
                <StateMark family={entry.outcome === 'under_way' ? 'busy' : 'fail'} />
              )}
              <span className="min-w-0 grow wrap-anywhere">
                {before}
                <span className="font-medium text-strong">{name}</span>
                {after}
                {entry.project && entry.changes[0]?.kind !== 'project' && (
                  <span className="text-muted"> in {entry.project.name}</span>
                )}
              </span>
              <RelativeTime value={entry.time} />
            </li>
          )
        })}
      </ul>
    </Section>
  )
}
