// @chunk token-list: of one page of the settings, which share their other code.
import * as op from '@gantry/api/client/operations.gen'
import { useSuspenseQuery } from '@tanstack/react-query'
import { usePolling } from '#/data/live.ts'
import { useOp } from '#/data/use-op.ts'
import { confirmAction, confirmDelete } from '#/kit/feedback/confirm.tsx'
import { ListPage, NewLink } from '#/kit/list/ListPage.tsx'
import { DocsPopover } from '#/kit/page/DocsPopover.tsx'
import { rowMenu } from '#/kit/list/row-menu.tsx'
import { Button } from '#/ui/Button.tsx'
import type { MenuEntry } from '#/ui/overlays/Menu.tsx'
import { Table } from '#/ui/data/Table.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { type TokenDetails, tokenDetails } from './queries.ts'
import { tokenColumns } from './token-columns.tsx'

/** The stream does not tell of uses. */
const pollMs = 30_000

/** The caller's tokens, with what each may do and when it was last used. */
export function MadeTokens({ children }: { children?: React.ReactNode }) {
  const { data } = useSuspenseQuery({ ...tokenDetails, refetchInterval: usePolling(pollMs) })
  const actions = useTokenActions()
  const removeAll = useOp(op.accessTokenDeleteAll)
  return (
    <ListPage
      title="Access Tokens"
      docs={
        <DocsPopover topic="access tokens" page="access-tokens">
          Access tokens let scripts, command-line tools and other programs act as you. Make one here and
          choose what it may do, or approve a device with the code that it shows.
        </DocsPopover>
      }
      actions={
        <>
          <Button
            disabledReason={data.items.length === 0 ? 'There are no tokens' : undefined}
            onClick={() =>
              confirmAction({
                title: 'Confirm delete all access tokens',
                content: (
                  <p>
                    Every program that uses one of your tokens is refused from then on. Your browsers stay
                    signed in.
                  </p>
                ),
                kind: 'danger',
                confirmLabel: 'Delete all',
                pendingLabel: 'Deleting',
                errorTitle: 'Could not delete tokens',
                success: 'All access tokens deleted',
                run: () => removeAll.run({}),
              })
            }
          >
            Delete all
          </Button>
          <NewLink link={{ to: '/settings/access-tokens-new' }}>New token</NewLink>
        </>
      }
    >
      <Table
        label="Access Tokens"
        tall
        columns={tokenColumns}
        rows={data.items}
        rowKey={({ id }) => id}
        actions={actions}
        empty={
          <EmptyState title="No access tokens">
            Make a token for a script, or approve a device, to see it here.
          </EmptyState>
        }
      />
      {children}
    </ListPage>
  )
}

function useTokenActions(): (token: TokenDetails) => MenuEntry[] {
  const remove = useOp(op.currentUserAccessTokenDelete)
  return ({ id, name }) =>
    rowMenu(id, 'Copy ID', [
      {
        label: 'Delete',
        onSelect: () =>
          confirmDelete({
            kind: 'access token',
            name: name ?? id,
            gone: 'This cannot be undone. Programs that use it need a new token.',
            run: () => remove.run({ path: { tokenId: id } }),
          }),
      },
    ])
}
