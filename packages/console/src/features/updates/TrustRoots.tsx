import * as op from '@gantry/api/client/operations.gen'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { confirmDelete } from '#/kit/feedback/confirm.tsx'
import { NewLink } from '#/kit/list/ListPage.tsx'
import { rowMenu } from '#/kit/list/row-menu.tsx'
import { Card, CardEmpty } from '#/ui/data/Card.tsx'
import type { Column } from '#/ui/data/column.ts'
import { CopyableId } from '#/ui/CopyButton.tsx'
import { DateTime } from '#/ui/data/DateTime.tsx'
import { Table } from '#/ui/data/Table.tsx'
import { EmptyCell } from '#/ui/data/Truncate.tsx'
import type { TrustRoot } from './queries.ts'

/** The trust roots, whose keys may sign releases. */
export function TrustRoots({ roots }: { roots: readonly TrustRoot[] }) {
  const whyNot = useWhyNotOnFleet()
  const remove = useOp(op.systemUpdateTrustRootDelete)
  const actions = ({ id }: TrustRoot) =>
    rowMenu(id, 'Copy ID', [
      {
        label: 'Delete',
        disabled: whyNot,
        onSelect: () =>
          confirmDelete({
            kind: 'trust root',
            name: id.slice(0, 8),
            gone: 'Releases signed by it remain. New ones from its publisher will be refused.',
            run: () => remove.run({ path: { trustRootId: id } }),
          }),
      },
    ])
  return (
    <Card
      title="Trust roots"
      description="A release must be signed with the keys of one of these roots."
      flush
      actions={
        <NewLink link={{ to: '/system/update-trust-roots-new' }} kind="default" disabled={whyNot}>
          Add trust root
        </NewLink>
      }
    >
      <Table
        inset
        label="Trust roots"
        columns={columns}
        rows={roots}
        rowKey={idOf}
        actions={actions}
        empty={
          <CardEmpty title="No trust roots">
            Add the trust root of a publisher to upload its releases
          </CardEmpty>
        }
      />
    </Card>
  )
}

const idOf = ({ id }: TrustRoot): string => id

const columns: Column<TrustRoot>[] = [
  { id: 'id', header: 'ID', part: 'name', cell: ({ id }) => <CopyableId id={id} max={16} /> },
  {
    id: 'keys',
    header: 'Signing keys',
    isLabelled: true,
    cell: ({ rootRole }) => rootFacts(rootRole).keys ?? <EmptyCell />,
  },
  {
    id: 'expires',
    header: 'Expires',
    isLabelled: true,
    cell: ({ rootRole }) => {
      const { expires } = rootFacts(rootRole)
      return expires ? <DateTime value={expires} /> : <EmptyCell />
    },
  },
  {
    id: 'created',
    header: 'Created',
    part: 'meta',
    cell: ({ timeCreated }) => <DateTime value={timeCreated} />,
  },
]

/** The facts of a root role in the list. Its keys are in its own document. */
function rootFacts(role: unknown): { keys: string | undefined; expires: Date | undefined } {
  const { signed } = (role ?? {}) as { signed?: { expires?: unknown; roles?: Record<string, unknown> } }
  const { keyids, threshold } = (signed?.roles?.targets ?? {}) as { keyids?: unknown; threshold?: unknown }
  const expires = typeof signed?.expires === 'string' ? new Date(signed.expires) : undefined
  return {
    keys: Array.isArray(keyids) ? `${String(threshold)} of ${keyids.length}` : undefined,
    expires: expires && !Number.isNaN(expires.getTime()) ? expires : undefined,
  }
}
