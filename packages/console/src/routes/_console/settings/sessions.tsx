import * as op from '@gantry/api/client/operations.gen'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import LogOut from 'lucide-react/icons/log-out'
import { useOp } from '#/data/use-op.ts'
import { confirmAction } from '#/kit/feedback/confirm.tsx'
import { DocsPopover } from '#/kit/page/DocsPopover.tsx'
import { ListPage } from '#/kit/list/ListPage.tsx'
import { loadList } from '#/kit/page/loaders.ts'
import { ResourceTable } from '#/kit/list/ResourceTable.tsx'
import type { ActionsOf } from '#/kit/list/row-menu.tsx'
import { pageSearch, useListPage } from '#/kit/list/use-list-page.ts'
import { browserName } from '#/features/sessions/browser-name.ts'
import { mySessions, type Session } from '#/features/sessions/queries.ts'
import { Button } from '#/ui/Button.tsx'
import type { Column } from '#/ui/data/column.ts'
import { DateTime, RelativeTime } from '#/ui/data/DateTime.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { Tag } from '#/ui/data/Tag.tsx'
import { Tooltip } from '#/ui/overlays/Tooltip.tsx'
import { EmptyCell } from '#/ui/data/Truncate.tsx'

export const Route = createFileRoute('/_console/settings/sessions')({
  validateSearch: pageSearch,
  loader: (visit) => loadList(visit, mySessions),
  staticData: { crumb: { label: 'Sessions', to: '/settings/sessions' } },
  component: Sessions,
})

const pollMs = 30_000

function Sessions() {
  const list = useListPage(mySessions)
  const actions = useSessionRowActions()
  // The stream does not report new or used sessions, so the page polls even while it is live.
  useQuery({ ...mySessions.at(Route.useSearch().page), refetchInterval: pollMs })
  const rows = list.rows?.toSorted(bySessionUse)
  const hasOthers = list.position.number !== 1 || Boolean(rows?.some(({ current }) => !current))
  return (
    <ListPage
      title="Sessions"
      docs={
        <DocsPopover topic="sessions" page="access#signing-in-safely">
          A session starts when you sign in with a browser. It ends when you sign out, after some hours of
          inactivity, or when you end it here. End any session you do not recognize, then change your
          password.
        </DocsPopover>
      }
      actions={<EndOthersButton hasOthers={hasOthers} />}
    >
      <ResourceTable
        label="Sessions"
        list={{ ...list, rows }}
        columns={sessionColumns}
        actions={actions}
        // A caller with an access token has no session.
        empty={<EmptyState title="No sessions">You are not signed in with any browser.</EmptyState>}
      />
    </ListPage>
  )
}

const sessionColumns: Column<Session>[] = [
  {
    id: 'browser',
    header: 'Browser',
    part: 'name',
    cell: ({ userAgent, current }) => (
      <span className="inline-flex items-center gap-2">
        <Tooltip content={userAgent ?? 'The browser did not identify itself'} describes={false}>
          <span className="font-medium text-strong">{browserName(userAgent)}</span>
        </Tooltip>
        {current && <Tag>This session</Tag>}
      </span>
    ),
  },
  {
    id: 'address',
    header: 'Address',
    part: 'meta',
    cell: ({ address }) =>
      address ? <span className="font-mono text-[0.8125rem]">{address}</span> : <EmptyCell />,
  },
  {
    id: 'used',
    header: 'Last used',
    part: 'meta',
    cell: ({ timeLastUsed }) => <RelativeTime value={timeLastUsed} caption="Last used" ago />,
  },
  {
    id: 'signed-in',
    header: 'Signed in',
    part: 'meta',
    rank: 'low',
    cell: ({ timeCreated }) => <DateTime value={timeCreated} />,
  },
]

/** This session first, then by last use. */
const bySessionUse = (a: Session, b: Session): number =>
  Number(b.current) - Number(a.current) || b.timeLastUsed.getTime() - a.timeLastUsed.getTime()

function useSessionRowActions(): ActionsOf<Session> {
  const end = useOp(op.currentUserSessionDelete)
  return ({ id, userAgent, current }) => [
    {
      label: 'End session',
      icon: <LogOut aria-hidden strokeWidth={1.75} />,
      danger: true,
      ...(current && { disabled: 'This is your current session. Sign out to end it.' }),
      onSelect: () =>
        confirmAction({
          title: 'Confirm end session',
          content: (
            <p>
              Anyone using <strong>{browserName(userAgent)}</strong> must sign in again.
            </p>
          ),
          kind: 'danger',
          confirmLabel: 'End session',
          pendingLabel: 'Ending',
          errorTitle: 'Could not end session',
          success: 'Session ended',
          run: () => end.run({ path: { sessionId: id } }),
        }),
    },
  ]
}

/** Ends all other sessions. */
function EndOthersButton({ hasOthers }: { hasOthers: boolean }) {
  const end = useOp(op.currentUserSessionDeleteOthers)
  return (
    <Button
      disabledReason={hasOthers ? undefined : 'You have no other sessions'}
      onClick={() =>
        confirmAction({
          title: 'Confirm end all other sessions',
          content: (
            <p>
              Every other browser must sign in again. Access tokens keep working; delete any you do not trust.
            </p>
          ),
          kind: 'danger',
          confirmLabel: 'End sessions',
          pendingLabel: 'Ending',
          errorTitle: 'Could not end sessions',
          success: 'All other sessions ended',
          run: () => end.run({}),
        })
      }
    >
      End all others
    </Button>
  )
}
