import { createFileRoute } from '@tanstack/react-router'
import { createdColumn, descriptionColumn, nameColumn } from '#/features/common/columns.tsx'
import { DocsPopover } from '#/features/common/DocsPopover.tsx'
import type { KindProps } from '#/features/common/KindTable.tsx'
import { loadList } from '#/features/common/load-list.ts'
import { ResourceList } from '#/features/common/ResourceList.tsx'
import { pageSearch, useListPage } from '#/features/common/use-list-page.ts'
import { sshKeyLink } from '#/features/ssh-keys/links.ts'
import { type SshKey, sshKeys } from '#/features/ssh-keys/queries.ts'
import { useSshKeyRowActions } from '#/features/ssh-keys/use-ssh-key-row-actions.tsx'
import type { Column } from '#/ui/column.ts'

export const Route = createFileRoute('/_console/settings/_ssh-keys')({
  validateSearch: pageSearch,
  loader: (visit) => loadList(visit, sshKeys),
  staticData: { crumb: { label: 'SSH Keys', to: '/settings/ssh-keys' } },
  component: SshKeys,
})

const columns: Column<SshKey>[] = [
  nameColumn<SshKey>(({ name }) => sshKeyLink(name)),
  descriptionColumn<SshKey>(),
  createdColumn<SshKey>(),
]

const create: KindProps<SshKey>['create'] = { link: { to: '/settings/ssh-keys-new' }, verb: 'Add' }

function SshKeys() {
  return (
    <ResourceList
      kind="SSH key"
      title="SSH Keys"
      docs={
        <DocsPopover topic="SSH keys">
          SSH keys let you sign in to your instances without a password. You can add them to an instance when
          you create it.
        </DocsPopover>
      }
      list={useListPage(sshKeys)}
      columns={columns}
      actions={useSshKeyRowActions()}
      create={create}
      empty={{ title: 'No SSH keys', text: 'Add a public key to see it here.' }}
    />
  )
}
