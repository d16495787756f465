import { passkeysMax } from '@gantry/api/people/second-factor.rules'
import * as op from '@gantry/api/client/operations.gen'
import { type ReactNode, useState } from 'react'
import { useOp } from '#/data/use-op.ts'
import { Button } from '#/ui/Button.tsx'
import { Card, CardEmpty } from '#/ui/data/Card.tsx'
import { DateTime, RelativeTime } from '#/ui/data/DateTime.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { Table } from '#/ui/data/Table.tsx'
import type { Column } from '#/ui/data/column.ts'
import { plainNameColumn } from '#/kit/list/columns.tsx'
import { confirmDelete } from '#/kit/feedback/confirm.tsx'
import { rowMenu } from '#/kit/list/row-menu.tsx'
import type { MenuEntry } from '#/ui/overlays/Menu.tsx'
import { whyNoPasskeys } from './passkey-support.ts'
import { type Passkey, type SecondFactors, whyNotRemove } from './queries.ts'
import { useConfirmed } from './use-confirmed.tsx'

const AddPasskeyDialog = lazyPart(() => import('./PasskeyDialogs.tsx'), 'AddPasskeyDialog')

const RenamePasskeyDialog = lazyPart(() => import('./PasskeyDialogs.tsx'), 'RenamePasskeyDialog')

interface Props {
  factors: SecondFactors
  onCodes: (codes: readonly string[]) => void
}

const columns: Column<Passkey>[] = [
  plainNameColumn<Passkey>(),
  {
    id: 'domain',
    header: 'Domain',
    part: 'meta',
    rank: 'low',
    cell: ({ rpId }) => <span className="font-mono text-[0.8125rem]">{rpId}</span>,
  },
  {
    id: 'created',
    header: 'Created',
    part: 'meta',
    cell: ({ timeCreated }) => <DateTime value={timeCreated} />,
  },
  {
    id: 'used',
    header: 'Last used',
    part: 'meta',
    // On a card without column heads, the cell must name its value.
    cell: ({ timeLastUsed }): ReactNode =>
      timeLastUsed ? (
        <>
          <span className="md:hidden">used </span>
          <RelativeTime value={timeLastUsed} caption="Last used" ago />
        </>
      ) : (
        <>
          Never<span className="md:hidden"> used</span>
        </>
      ),
  },
]

/** The signed-in user's passkeys, each of which can sign in without a password. */
export function PasskeysCard({ factors, onCodes }: Props) {
  const { passkeys } = factors
  const [isAdding, setAdding] = useState(false)
  const [renamed, setRenamed] = useState<Passkey>()
  const remove = useOp(op.passkeyDelete)
  const { confirmed, dialog } = useConfirmed()
  const full = passkeys.length >= passkeysMax && `You have ${passkeysMax} passkeys. Delete one first.`

  return (
    <Card
      title="Passkeys"
      description="A passkey signs you in without a password and cannot be phished."
      flush
      actions={
        <Button
          disabledReason={whyNoPasskeys() ?? (full || undefined)}
          onClick={() => confirmed(() => setAdding(true))}
        >
          Add passkey
        </Button>
      }
    >
      <Table
        inset
        label="Passkeys"
        columns={columns}
        rows={passkeys}
        rowKey={({ id }) => id}
        actions={(passkey) =>
          passkeyMenu(passkey, {
            whyNotRemove: whyNotRemove(factors),
            confirmed,
            rename: () => setRenamed(passkey),
            remove: () => remove.run({ path: { passkeyId: passkey.id } }),
          })
        }
        empty={<CardEmpty title="No passkeys">Add one on this device, a phone or a security key.</CardEmpty>}
      />
      {isAdding && <AddPasskeyDialog onAdded={onCodes} onClose={() => setAdding(false)} />}
      {renamed && <RenamePasskeyDialog passkey={renamed} onClose={() => setRenamed(undefined)} />}
      {dialog}
    </Card>
  )
}

interface PasskeyActions {
  /** Why it cannot be removed. */
  whyNotRemove: string | undefined
  confirmed: (then: () => void) => void
  rename: () => void
  remove: () => Promise<unknown>
}

const passkeyMenu = (
  { id, name }: Passkey,
  { whyNotRemove, confirmed, rename, remove }: PasskeyActions,
): MenuEntry[] =>
  rowMenu(id, 'Copy ID', [
    { label: 'Rename', onSelect: rename },
    {
      label: 'Delete',
      ...(whyNotRemove && { disabled: whyNotRemove }),
      onSelect: () =>
        confirmed(() =>
          confirmDelete({
            kind: 'passkey',
            name,
            gone: 'It will no longer sign you in. Remove it from your device as well.',
            run: remove,
          }),
        ),
    },
  ])
