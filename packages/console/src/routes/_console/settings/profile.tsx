import * as op from '@gantry/api/client/operations.gen'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useState } from 'react'
import { useCurrentUser } from '#/data/current-user.ts'
import { opQuery } from '#/data/queries.ts'
import { PageHead } from '#/kit/list/ListPage.tsx'
import { rowMenu } from '#/kit/list/row-menu.tsx'
import { type Group, myGroups } from '#/features/settings/queries.ts'
import { Button } from '#/ui/Button.tsx'
import { Card, CardEmpty } from '#/ui/data/Card.tsx'
import { CopyableId } from '#/ui/CopyButton.tsx'
import { DataItem, DataPlate } from '#/ui/data/DataPlate.tsx'
import { Table } from '#/ui/data/Table.tsx'
import type { Column } from '#/ui/data/column.ts'
import { lazyPart } from '#/ui/lazy-part.tsx'

export const Route = createFileRoute('/_console/settings/profile')({
  loader: ({ context }) => context.prefetch(myGroups),
  staticData: { crumb: { label: 'Profile', to: '/settings/profile' } },
  component: Profile,
})

const columns: Column<Group>[] = [
  {
    id: 'name',
    header: 'Name',
    part: 'name',
    cell: ({ displayName }) => <span className="font-medium text-strong">{displayName}</span>,
  },
  { id: 'id', header: 'ID', part: 'meta', cell: ({ id }) => <CopyableId id={id} max={36} /> },
]

function Profile() {
  const { id, displayName, siloName } = useCurrentUser()
  const { data: groups } = useSuspenseQuery(myGroups)
  return (
    <>
      <PageHead title="Profile" />
      <div className="space-y-5.5">
        <DataPlate narrow>
          <DataItem label="Display name">{displayName}</DataItem>
          <DataItem label="Silo">{siloName}</DataItem>
          <DataItem label="User ID" wide>
            <CopyableId id={id} max={40} />
          </DataItem>
        </DataPlate>
        <Card
          title="Groups"
          flush
          footer="Your organization manages this profile. Ask a silo administrator to change your name or groups."
        >
          <Table
            inset
            label="Groups"
            columns={columns}
            rows={groups}
            rowKey={(group) => group.id}
            actions={(group) => rowMenu(group.id, 'Copy ID', [])}
            empty={
              <CardEmpty title="No groups">You are not in any group. Groups can give you roles.</CardEmpty>
            }
          />
        </Card>
        <PasswordCard />
      </div>
    </>
  )
}

/** Whether the signed-in user has a password here. */
const myPassword = opQuery(op.currentUserPasswordView, {})

const ChangePasswordDialog = lazyPart(
  () => import('#/features/sign-in/password/ChangePasswordDialog.tsx'),
  'ChangePasswordDialog',
)

/** For users with a password here; others change theirs at their identity provider. */
function PasswordCard() {
  const { data } = useQuery(myPassword)
  const [isOpen, setOpen] = useState(false)
  if (!data?.isSet) return null
  return (
    <Card title="Password" actions={<Button onClick={() => setOpen(true)}>Change password</Button>}>
      <p className="text-sm text-muted">
        Changing your password signs you out everywhere else and deletes your access tokens.
      </p>
      {isOpen && <ChangePasswordDialog onClose={() => setOpen(false)} />}
    </Card>
  )
}
