import * as op from '@gantry/api/client/operations.gen'
import { bulkActions } from '@gantry/api/compute/instance-action.rules'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { Button } from '#/ui/Button.tsx'
import { formatCount } from '#/ui/data/format-amounts.ts'
import { confirmAction } from '#/kit/feedback/confirm.tsx'
import { useTotals } from '#/kit/list/filter/Totals.tsx'
import { SelectedNames, SelectionBar } from '#/kit/list/SelectBoxes.tsx'
import type { Selection } from '#/kit/list/selection.ts'
import { useHasExtensions } from '#/kit/page/use-served.ts'
import { useWhyNot } from '#/data/permissions.ts'
import type { ListName, ListQuery } from '#/data/queries.ts'
import { useProtectionsById } from '#/features/protection/use-protections.tsx'
import { whyProtected } from '#/features/protection/words.ts'
import { openTagging } from '#/features/tags/tag-actions.tsx'
import { TagMatching } from '#/features/tags/TagMatching.tsx'
import type { Instance } from '../queries.ts'
import { type BulkPlan, bulkPlan, matchingPlan, skippedWords } from './plan.ts'
import { runBulk, runMatching, statesOf } from './run.ts'

interface Props {
  /** Without one, in all that the user may see. */
  project: string | undefined
  list: ListQuery<ListName>
  selection: Selection
  rows: readonly Instance[]
  /** What the list is filtered by; undefined where the server has no filters. */
  filter: string | undefined
}

const words = {
  start: { verb: 'start', doing: 'Starting', extra: undefined },
  stop: {
    verb: 'stop',
    doing: 'Stopping',
    extra: 'Disks and IPs stay attached. CPU and memory become free for other instances.',
  },
  reboot: { verb: 'reboot', doing: 'Rebooting', extra: 'Running workloads are interrupted.' },
  delete: {
    verb: 'delete',
    doing: 'Deleting',
    extra: 'Attached disks are detached, not deleted. They stay in the project.',
  },
} as const

/** The request for a single one, which is asked what it would do. */
const requests = {
  start: op.instanceStart,
  stop: op.instanceStop,
  reboot: op.instanceReboot,
  delete: op.instanceDelete,
} as const

/** Bulk actions for the selected rows, in place of the filters. */
export function BulkBar({ project, list, selection, rows, filter }: Props) {
  const isEverything = useSyncExternalStore(selection.subscribe, selection.isEverything)
  const place = project === undefined ? {} : { project }
  const totals = useTotals({ kind: 'instance', place, filter }, list)
  const { data: states } = useQuery({ ...statesOf(project, filter ?? ''), enabled: isEverything })
  const queryClient = useQueryClient()
  const ids = useSyncExternalStore(selection.subscribe, selection.ids)
  const whyNot = useWhyNot(
    project === undefined
      ? { action: 'read', object: 'silo' }
      : { action: 'create_child', object: 'project', id: project },
  )
  // Of several projects, each instance says whether its own allows it.
  const whyNotAllowed = project === undefined ? undefined : whyNot
  const protections = useProtectionsById(project)
  const hasTags = useHasExtensions()
  const selected = rows.filter(({ id }) => ids.includes(id))

  const ask = (action: (typeof bulkActions)[number], { eligible, hasProtected }: BulkPlan) => {
    const { verb, doing, extra } = words[action]
    const instances = formatCount(eligible.length, 'instance')
    confirmAction({
      title: `Confirm ${verb} ${instances}`,
      content: (
        <>
          <p>
            Are you sure you want to {verb} <SelectedNames names={eligible.map(({ name }) => name)} />?
          </p>
          {extra && <p>{extra}</p>}
          {eligible.length < selected.length && (
            <p>{skippedWords(action, selected.length - eligible.length, hasProtected)}</p>
          )}
        </>
      ),
      kind: action === 'start' ? 'primary' : 'danger',
      pendingLabel: doing,
      errorTitle: `Could not ${verb} ${instances}`,
      parts: eligible.map(({ id, name }) => ({
        name,
        run: (send) => send(requests[action], { path: { instance: id } }),
      })),
      // `BulkRuns` shows what becomes of it.
      run: async () => {
        await runBulk(queryClient, project, action, eligible)
        selection.clear()
      },
    })
  }

  const askAll = (action: (typeof bulkActions)[number], count: number) => {
    const { verb, doing, extra } = words[action]
    const instances = formatCount(count, 'instance')
    confirmAction({
      title: `Confirm ${verb} ${instances}`,
      content: (
        <>
          <p>
            Are you sure you want to {verb} <strong>all {instances}</strong>{' '}
            {filter ? (
              <>
                that match <code className="font-mono">{filter}</code>
              </>
            ) : (
              `of ${project === undefined ? 'all projects' : 'the project'}`
            )}{' '}
            and can {verb} now? Protected ones are skipped
            {project === undefined && ', and you are told of those that you may not change'}.
          </p>
          {extra && <p>{extra}</p>}
        </>
      ),
      kind: action === 'start' ? 'primary' : 'danger',
      pendingLabel: doing,
      errorTitle: `Could not ${verb} ${instances}`,
      run: async () => {
        await runMatching(queryClient, project, action, { filter: filter ?? '', atMost: count })
        selection.clear()
      },
    })
  }

  return (
    <SelectionBar label="Selected instances" selection={selection} matching={totals?.count}>
      {bulkActions.map((action) => {
        if (isEverything) {
          const { count, whyNot: whyNone, label } = matchingPlan(action, states?.items)
          return (
            <Button
              key={action}
              disabledReason={whyNotAllowed ?? whyNone}
              onClick={() => askAll(action, count)}
            >
              {label}
            </Button>
          )
        }
        const plan = bulkPlan(action, selected, (id, asked) => whyProtected(protections.get(id), asked))
        return (
          <Button
            key={action}
            disabledReason={whyNotAllowed ?? plan.whyNot}
            onClick={() => ask(action, plan)}
          >
            {plan.label}
          </Button>
        )
      })}
      {hasTags && isEverything && (
        <TagMatching
          kind="instance"
          place={place}
          filter={filter ?? ''}
          count={totals?.count}
          whyNotAllowed={whyNotAllowed}
          onSaved={selection.clear}
        />
      )}
      {hasTags && !isEverything && (
        <Button
          disabledReason={whyNotAllowed}
          onClick={() =>
            openTagging.set({ kind: 'instance', objects: selected, project, onSaved: selection.clear })
          }
        >
          Edit tags
        </Button>
      )}
    </SelectionBar>
  )
}
