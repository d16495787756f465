import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { usePolling } from '#/data/live.ts'
import { useOp } from '#/data/use-op.ts'
import type { TokenDetails } from '#/features/access-tokens/queries.ts'
import { tokenColumns } from '#/features/access-tokens/token-columns.tsx'
import { confirmDelete } from '#/kit/feedback/confirm.tsx'
import { NewLink } from '#/kit/list/ListPage.tsx'
import { rowMenu } from '#/kit/list/row-menu.tsx'
import { Table } from '#/ui/data/Table.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'
import type { MenuEntry } from '#/ui/overlays/Menu.tsx'
import { newAccountTokenLink } from './links.ts'
import { useWhyNotManage } from './parts.tsx'
import { accountAt, accountTokens } from './queries.ts'

const RotateDialog = lazyPart(() => import('./RotateDialog.tsx'), 'RotateDialog')
const TokenMadeDialog = lazyPart(
  () => import('#/features/access-tokens/TokenMadeDialog.tsx'),
  'TokenMadeDialog',
)

/** The stream does not tell of uses. */
const pollMs = 30_000

/** Those of an account of a project serve in that project only. */
const columnsInProject = tokenColumns.filter(({ id }) => id !== 'where')

/** The tokens of an account, for those who manage it. */
export function AccountTokens({ project, account }: { project: string | undefined; account: string }) {
  const { data } = useSuspenseQuery({
    ...accountTokens(project, account),
    refetchInterval: usePolling(pollMs),
  })
  const whyNot = useWhyNotManage(project)
  const remove = useOp(op.serviceAccountTokenDelete)
  const [replaced, setReplaced] = useState<TokenDetails>()
  const [made, setMade] = useState<OutputOf<'serviceAccountTokenRotate'>>()
  const actions = ({ id, name }: TokenDetails): MenuEntry[] =>
    rowMenu(id, 'Copy ID', [
      {
        label: 'Replace',
        disabled: whyNot,
        onSelect: () => setReplaced(data.items.find((token) => token.id === id)),
      },
      {
        label: 'Delete',
        disabled: whyNot,
        onSelect: () =>
          confirmDelete({
            kind: 'access token',
            name: name ?? id,
            gone: 'This cannot be undone. Programs that use it need a new token.',
            run: () => {
              const at = accountAt(project, account)
              return remove.run({ ...at, path: { ...at.path, tokenId: id } })
            },
          }),
      },
    ])
  return (
    <>
      <div className="mb-3 flex justify-end">
        <NewLink link={newAccountTokenLink(project, account)} disabled={whyNot}>
          New token
        </NewLink>
      </div>
      <Table
        label="Access tokens"
        tall
        columns={project === undefined ? tokenColumns : columnsInProject}
        rows={data.items}
        rowKey={({ id }) => id}
        actions={actions}
        empty={
          <EmptyState title="No access tokens">A program needs a token to act as this account.</EmptyState>
        }
      />
      {replaced && (
        <RotateDialog
          project={project}
          account={account}
          token={replaced}
          onReplaced={setMade}
          onClose={() => setReplaced(undefined)}
        />
      )}
      {made && (
        <TokenMadeDialog
          name={made.details.name ?? ''}
          token={made.token}
          project={made.details.scope?.powers.includes('read') ? project : undefined}
          onClose={() => setMade(undefined)}
        />
      )}
    </>
  )
}
