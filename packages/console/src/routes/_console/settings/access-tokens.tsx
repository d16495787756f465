import * as op from '@gantry/api/client/operations.gen'
import { createFileRoute } from '@tanstack/react-router'
import { useCurrentUser } from '#/data/current-user.ts'
import { isAbsent } from '#/data/extensions.ts'
import { useOp } from '#/data/use-op.ts'
import { Expiry } from '#/features/access-tokens/Expiry.tsx'
import { type AccessToken, accessTokens, tokenDetails } from '#/features/access-tokens/queries.ts'
import { createdColumn } from '#/kit/list/columns.tsx'
import { confirmDelete } from '#/kit/feedback/confirm.tsx'
import { useHasExtensions } from '#/kit/page/use-served.ts'
import { DocsPopover } from '#/kit/page/DocsPopover.tsx'
import { ListPage } from '#/kit/list/ListPage.tsx'
import { loadList } from '#/kit/page/loaders.ts'
import { ResourceTable } from '#/kit/list/ResourceTable.tsx'
import type { ActionsOf } from '#/kit/list/row-menu.tsx'
import { pageSearch, useListPage } from '#/kit/list/use-list-page.ts'
import type { Column } from '#/ui/data/column.ts'
import { CopyableId } from '#/ui/CopyButton.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { Term } from '#/ui/data/Term.tsx'

/** Visible to few users and below the fold, so its code loads separately. */
const SiloTokensCard = lazyPart(() => import('#/features/access-tokens/SiloTokensCard.tsx'), 'SiloTokensCard')

const OwnScimTokens = lazyPart(() => import('#/features/silos/scim/OwnScimTokens.tsx'), 'OwnScimTokens')

/** Apart from what all pages of the settings share, and loaded with its data. */
const MadeTokens = lazyPart(() => import('#/features/access-tokens/MadeTokens.tsx'), 'MadeTokens')

export const Route = createFileRoute('/_console/settings/access-tokens')({
  validateSearch: pageSearch,
  loader: (visit) =>
    isAbsent(op.accessTokenList)
      ? loadList(visit, accessTokens)
      : Promise.all([visit.context.prefetch(tokenDetails), MadeTokens.prefetch()]),
  staticData: { crumb: { label: 'Access Tokens', to: '/settings/access-tokens' } },
  component: AccessTokens,
})

function AccessTokens() {
  const { siloAdmin } = useCurrentUser()
  if (!useHasExtensions() || isAbsent(op.accessTokenList)) return <DeviceTokens />
  return <MadeTokens>{siloAdmin && <OfSilo />}</MadeTokens>
}

const OfSilo = () => (
  <div className="mt-5 space-y-5">
    <SiloTokensCard />
    <OwnScimTokens />
  </div>
)

/** On servers of the reference API, which tell when a token was issued and nothing else. */
function DeviceTokens() {
  const { siloAdmin } = useCurrentUser()
  const list = useListPage(accessTokens)
  const actions = useAccessTokenRowActions()
  return (
    <ListPage
      title="Access Tokens"
      docs={
        <DocsPopover topic="access tokens" page="access-tokens">
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
      {siloAdmin && <OfSilo />}
    </ListPage>
  )
}

const tokenColumns: Column<AccessToken>[] = [
  {
    id: 'id',
    header: (
      <Term tip="ID of this record. The token itself is shown once, on the device that requested it.">
        ID
      </Term>
    ),
    part: 'name',
    cell: ({ id }) => <CopyableId id={id} max={36} />,
  },
  createdColumn<AccessToken>(),
  {
    id: 'expires',
    header: 'Expires',
    part: 'meta',
    cell: ({ timeExpires }) => (timeExpires ? <Expiry value={timeExpires} /> : 'Never'),
  },
]

function useAccessTokenRowActions(): ActionsOf<AccessToken> {
  const remove = useOp(op.currentUserAccessTokenDelete)
  return ({ id }) => [
    {
      label: 'Delete',
      onSelect: () =>
        confirmDelete({
          kind: 'access token',
          name: id,
          gone: 'This cannot be undone. Clients that use it will need a new token.',
          run: () => remove.run({ path: { tokenId: id } }),
        }),
    },
  ]
}
