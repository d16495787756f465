import * as op from '@gantry/api/client/operations.gen'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { confirmDelete } from '#/kit/feedback/confirm.tsx'
import { NewLink } from '#/kit/list/ListPage.tsx'
import { CreateLink } from '#/kit/list/ResourceList.tsx'
import { TabHead } from '#/kit/page/RouteTabs.tsx'
import { rowMenu } from '#/kit/list/row-menu.tsx'
import type { Column } from '#/ui/data/column.ts'
import { DateTime } from '#/ui/data/DateTime.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { Table } from '#/ui/data/Table.tsx'
import type { Receiver, Secret } from './queries.ts'

const columns: Column<Secret>[] = [
  {
    id: 'id',
    header: 'ID',
    cell: ({ id }) => <span className="font-mono text-[0.8125rem] wrap-anywhere text-strong">{id}</span>,
  },
  {
    id: 'created',
    header: 'Created',
    part: 'meta',
    cell: ({ timeCreated }) => <DateTime value={timeCreated} />,
  },
]

/** The secrets of a receiver by id: their values cannot be read. */
export function SecretsTab({ receiver: { name, kind } }: { receiver: Receiver }) {
  const { secrets } = kind
  const whyNot = useWhyNotOnFleet()
  const remove = useOp(op.webhookSecretsDelete)
  const link = { to: '/system/alerts/$receiver/secrets-add', params: { receiver: name } } as const
  return (
    <>
      <TabHead actions={<CreateLink kind="secret" create={{ link, label: 'Add secret', whyNot }} />}>
        Each request carries a signature by every secret. To replace one, add the new secret first.
      </TabHead>
      <Table
        label="Secrets"
        columns={columns}
        rows={secrets}
        rowKey={({ id }) => id}
        actions={({ id }) =>
          rowMenu(id, 'Copy ID', [
            {
              label: 'Delete',
              disabled: whyNot,
              onSelect: () =>
                confirmDelete({
                  kind: 'secret',
                  name: id,
                  gone:
                    secrets.length === 1
                      ? 'This is the only secret. Nothing can be delivered until you add another.'
                      : 'Requests are no longer signed with it.',
                  run: () => remove.run({ path: { secretId: id } }),
                }),
            },
          ])
        }
        empty={
          <EmptyState
            title="No secrets"
            action={
              <NewLink kind="default" link={link} disabled={whyNot}>
                Add secret
              </NewLink>
            }
          >
            Nothing can be delivered until you add a secret
          </EmptyState>
        }
      />
    </>
  )
}
