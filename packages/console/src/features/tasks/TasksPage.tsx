import { type taskFilters, taskKinds } from '@gantry/api/history/task-kinds.rules'
import { isOpenTask, taskKeptDays } from '@gantry/api/history/task.rules'
import { useNavigate } from '@tanstack/react-router'
import { useCurrentUser } from '#/data/current-user.ts'
import { DocsPopover } from '#/kit/page/DocsPopover.tsx'
import { ClearFilters } from '#/kit/list/ClearFilters.tsx'
import { Foot } from '#/kit/list/foot.tsx'
import { ListPage } from '#/kit/list/ListPage.tsx'
import { RefreshData } from '#/kit/list/RefreshData.tsx'
import { useListPage } from '#/kit/list/use-list-page.ts'
import { SectionError } from '#/kit/page/SectionError.tsx'
import { Pagination } from '#/ui/data/Pagination.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import { Segmented } from '#/ui/inputs/Segmented.tsx'
import { Select } from '#/ui/inputs/Select.tsx'
import { allTasks } from './all-queries.ts'
import { TaskCard } from './TaskCard.tsx'
import type { TasksSearch } from './tasks-search.ts'

const whose = [
  { value: 'mine', label: 'Mine' },
  { value: 'all', label: 'Everybody’s' },
] as const
/** Of what belongs to no silo. */
const ofFleet = { value: 'fleet', label: 'The fleet’s' } as const

const states: readonly { value: '' | (typeof taskFilters)[number]; label: string }[] = [
  { value: '', label: 'Any state' },
  { value: 'open', label: 'Running' },
  { value: 'ended', label: 'Ended' },
]

const kindWords: Partial<Record<(typeof taskKinds)[number], string>> = {
  instance: 'Instances',
  'instance-action': 'Actions on many objects',
  disk: 'Disks',
  snapshot: 'Snapshots',
  'instance-snapshot': 'Instance snapshots',
  'instance-restore': 'Restores of instances',
  'instance-backup': 'Backups of instances',
  'instance-backup-restore': 'Restores of backups',
  'image-upload': 'Image uploads',
  deletion: 'Deletions',
  restoration: 'Restores',
  'schedule-run': 'Runs of schedules',
}
const fleetKindWords: typeof kindWords = {
  'sled-drain': 'Drains of sleds',
  sled: 'Removals of sleds',
  'network-trial': 'Trials of the network',
  'support-bundle': 'Support bundles',
  'update-upload': 'Repository uploads',
  'target-release': 'Updates',
}
const optionsOf = (words: typeof kindWords): { value: string; label: string }[] => [
  { value: '', label: 'All kinds' },
  ...taskKinds.flatMap((value) => {
    const label = words[value]
    return label === undefined ? [] : [{ value, label }]
  }),
]
const kinds = optionsOf(kindWords)
const kindsAndFleet = optionsOf({ ...kindWords, ...fleetKindWords })

const pollMs = 2000

/** All tasks of the user, of everybody in the silo, or of the fleet, as far as the user may see them. */
export function TasksPage({ search }: { search: TasksSearch }) {
  const navigate = useNavigate()
  const list = useListPage(allTasks(search), {
    poll: (rows) => (rows.some(({ state }) => isOpenTask(state)) ? pollMs : false),
  })
  const ask = (change: TasksSearch) =>
    void navigate({ to: '.', search: (now) => ({ ...now, page: undefined, ...change }), replace: true })
  const { fleetViewer } = useCurrentUser()
  const scopes = fleetViewer ? [...whose, ofFleet] : whose
  const scope = scopes.find(({ value }) => value === search.whose)?.value ?? 'mine'
  const kindOptions = fleetViewer ? kindsAndFleet : kinds
  const isNarrowed = Boolean(search.state ?? search.kind)
  const { rows, failure } = list
  return (
    <ListPage
      title="Tasks"
      docs={
        <DocsPopover topic="tasks" page="history#tasks">
          {`Work that takes time: what you began, here or by a program, and what others do. Tasks are kept for ${taskKeptDays} days after they began.`}
        </DocsPopover>
      }
      actions={
        <RefreshData updatedAt={list.updatedAt} onRefresh={list.refresh} isRefreshing={list.isRefreshing} />
      }
    >
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <Segmented
          label="Whose"
          options={scopes}
          value={scope}
          onChange={(value) => ask({ whose: value === 'mine' ? undefined : value })}
        />
        <Select
          aria-label="State"
          options={states}
          value={states.find(({ value }) => value === search.state)?.value ?? ''}
          onChange={(value) => ask({ state: value || undefined })}
        />
        <Select
          aria-label="Kind"
          options={kindOptions}
          value={kindOptions.find(({ value }) => value === search.kind)?.value ?? ''}
          onChange={(value) => ask({ kind: value || undefined })}
        />
        {isNarrowed && <ClearFilters onClear={() => ask({ state: undefined, kind: undefined })} />}
      </div>
      {failure && <SectionError failure={failure} onRetry={list.refresh} />}
      {!rows && !failure && <Skeleton className="h-64 w-full" />}
      {rows?.length === 0 && (
        <EmptyState title={isNarrowed ? 'Nothing matches' : 'No tasks'}>
          {isNarrowed
            ? 'No task here is of this kind and state.'
            : 'What you start here or by a program appears with its progress.'}
        </EmptyState>
      )}
      {rows && rows.length > 0 && (
        <ul aria-label="Tasks" className="rounded-block border border-line last:*:border-0">
          {rows.map((task) => (
            <TaskCard key={task.id} task={task} showsWho={scope !== 'mine'} />
          ))}
        </ul>
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
    </ListPage>
  )
}
