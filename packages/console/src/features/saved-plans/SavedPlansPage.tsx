import { useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { usePolling } from '#/data/live.ts'
import { ListPage } from '#/kit/list/ListPage.tsx'
import { DocsPopover } from '#/kit/page/DocsPopover.tsx'
import { PageLink } from '#/kit/links/PageLink.tsx'
import type { Column } from '#/ui/data/column.ts'
import { DateTime } from '#/ui/data/DateTime.tsx'
import { Table } from '#/ui/data/Table.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { Button } from '#/ui/Button.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { planLink } from './links.ts'
import { type SavedPlan, savedPlans } from './queries.ts'
import { aboutText, nameOf, operationText, PlanPlate } from './words.tsx'

interface Props {
  /** Without one, the plans of the silo. */
  project?: string
  actions?: ReactNode
  children?: ReactNode
}

const pollMs = 10_000

const PlanFileDialog = lazyPart(() => import('#/features/recording/PlanFileDialog.tsx'), 'PlanFileDialog')

/** Plans that wait for a user to commit them, and those that ended lately. */
export function SavedPlansPage({ project, actions, children }: Props) {
  const { data } = useSuspenseQuery({ ...savedPlans(project), refetchInterval: usePolling(pollMs) })
  const columns = useMemo(() => columnsOf(), [])
  const [isFileOpen, setFileOpen] = useState(false)
  return (
    <ListPage
      title="Plans"
      docs={
        <DocsPopover topic="plans" page="history#saved-plans">
          A plan is a change that was saved instead of made, with what it would do. Whoever may make the
          change can commit the plan once, with their own rights.
        </DocsPopover>
      }
      actions={
        <>
          {actions}
          <Button onClick={() => setFileOpen(true)}>Run a recorded plan…</Button>
        </>
      }
    >
      {children}
      <Table
        label="Plans"
        columns={columns}
        rows={data.items}
        rowKey={({ id }) => id}
        empty={
          <EmptyState title="No plans">
            Review a change in its form, and save it as a plan to see it here.
          </EmptyState>
        }
      />
      {isFileOpen && <PlanFileDialog onClose={() => setFileOpen(false)} />}
    </ListPage>
  )
}

const columnsOf = (): Column<SavedPlan>[] => [
  {
    id: 'name',
    header: 'Change',
    part: 'name',
    cell: (plan) => (
      <PageLink {...planLink(plan.id)} className="name">
        {operationText(plan)}
      </PageLink>
    ),
  },
  { id: 'about', header: 'Of', part: 'meta', cell: aboutText },
  { id: 'author', header: 'By', part: 'meta', cell: ({ author }) => nameOf(author) },
  { id: 'state', header: 'State', part: 'state', cell: (plan) => <PlanPlate state={plan.state} /> },
  { id: 'made', header: 'Saved', part: 'meta', cell: ({ timeCreated }) => <DateTime value={timeCreated} /> },
  {
    id: 'until',
    header: 'Until',
    part: 'meta',
    isLabelled: true,
    cell: ({ timeEnded, timeExpires }) => <DateTime value={timeEnded ?? timeExpires} />,
  },
]
