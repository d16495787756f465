import { createFileRoute } from '@tanstack/react-router'
import { useCurrentUser } from '#/data/current-user.ts'
import { accessTokens } from '#/features/access-tokens/queries.ts'
import { tokenColumns } from '#/features/access-tokens/token-columns.tsx'
import { useAccessTokenRowActions } from '#/features/access-tokens/use-access-token-row-actions.tsx'
import { DocsPopover } from '#/features/common/DocsPopover.tsx'
import { ListPage } from '#/features/common/ListPage.tsx'
import { loadList } from '#/features/common/load-list.ts'
import { ResourceTable } from '#/features/common/ResourceTable.tsx'
import { pageSearch, useListPage } from '#/features/common/use-list-page.ts'
import { EmptyState } from '#/ui/EmptyState.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'

/** Visible to few users and below the fold, so its code loads separately. */
const SiloTokensCard = lazyPart(() => import('#/features/access-tokens/SiloTokensCard.tsx'), 'SiloTokensCard')

export const Route = createFileRoute('/_console/settings/access-tokens')({
  validateSearch: pageSearch,
  loader: (visit) => loadList(visit, accessTokens),
  staticData: { crumb: { label: 'Access Tokens', to: '/settings/access-tokens' } },
  component: AccessTokens,
})

function AccessTokens() {
  const { siloAdmin } = useCurrentUser()
  const list = useListPage(accessTokens)
  const actions = useAccessTokenRowActions()
  return (
    <ListPage
      title="Access Tokens"
      docs={
        <DocsPopover topic="access tokens">
          Access tokens let command-line tools and other programs act as you. A device requests one, and you
          approve it with the code it shows. View and delete your tokens here.
        </DocsPopover>
      }
    >
      <ResourceTable
        label="Access Tokens"
        list={list}
        columns={tokenColumns}
        actions={actions}
        empty={<EmptyState title="No access tokens">Tokens issued to your devices appear here.</EmptyState>}
      />
      {siloAdmin && (
        <div className="mt-5">
          <SiloTokensCard />
        </div>
      )}
    </ListPage>
  )
}
