import { createFileRoute } from '@tanstack/react-router'
import { createdColumn, descriptionColumn, nameColumn } from '../../../../features/common/columns.tsx'
import { DocsPopover } from '../../../../features/common/DocsPopover.tsx'
import { usePaletteItems } from '../../../../features/common/palette-items.ts'
import { ResourceList } from '../../../../features/common/ResourceList.tsx'
import { pageSearch, useListPage } from '../../../../features/common/use-list-page.ts'
import { type SshKey, sshKeyPaths, sshKeys } from '../../../../features/ssh-keys/queries.ts'
import type { Column } from '../../../../ui/Table.tsx'
import { useSshKeyRowActions } from '../../../../features/ssh-keys/use-ssh-key-row-actions.tsx'

export const Route = createFileRoute('/_console/settings/_ssh-keys')({
  validateSearch: pageSearch,
  loader: ({ context, location }) => context.prefetch(sshKeys.at(pageSearch(location.search).page)),
  staticData: { crumb: { label: 'SSH Keys', path: sshKeyPaths.list } },
  component: SshKeys,
})

const columns: Column<SshKey>[] = [
  nameColumn<SshKey>(({ name }) => sshKeyPaths.view(name)),
  descriptionColumn<SshKey>(),
  createdColumn<SshKey>(),
]

const create = { to: sshKeyPaths.create, label: 'Add SSH key', whyNot: undefined }

function SshKeys() {
  const list = useListPage(sshKeys)
  const actions = useSshKeyRowActions()
  usePaletteItems([{ label: 'Add SSH key', to: sshKeyPaths.create }])
  return (
    <ResourceList
      title="SSH Keys"
      docs={
        <DocsPopover topic="SSH keys">
          SSH keys let you sign in to your instances without a password. You can add them to an instance when
          you create it.
        </DocsPopover>
      }
      create={create}
      empty={{ title: 'No SSH keys', text: 'Add a public key to see it here.' }}
      list={list}
      columns={columns}
      actions={actions}
    />
  )
}
