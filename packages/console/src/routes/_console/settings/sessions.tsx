import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { DocsPopover } from '#/features/common/DocsPopover.tsx'
import { ListPage } from '#/features/common/ListPage.tsx'
import { loadList } from '#/features/common/load-list.ts'
import { ResourceTable } from '#/features/common/ResourceTable.tsx'
import { pageSearch, useListPage } from '#/features/common/use-list-page.ts'
import { EndOthersButton } from '#/features/sessions/EndOthersButton.tsx'
import { mySessions } from '#/features/sessions/queries.ts'
import { bySessionUse, sessionColumns } from '#/features/sessions/session-columns.tsx'
import { useSessionRowActions } from '#/features/sessions/use-session-row-actions.tsx'
import { EmptyState } from '#/ui/EmptyState.tsx'

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
        <DocsPopover topic="sessions">
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
