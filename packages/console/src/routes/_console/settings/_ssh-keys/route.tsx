import * as op from '@gantry/api/client/operations.gen'
import { createFileRoute } from '@tanstack/react-router'
import Copy from 'lucide-react/icons/copy'
import { useOp } from '#/data/use-op.ts'
import { createdColumn, descriptionColumn, nameColumn } from '#/kit/list/columns.tsx'
import { confirmDelete } from '#/kit/feedback/confirm.tsx'
import { DocsPopover } from '#/kit/page/DocsPopover.tsx'
import { loadList } from '#/kit/page/loaders.ts'
import { type KindProps, ResourceList } from '#/kit/list/ResourceList.tsx'
import type { ActionsOf } from '#/kit/list/row-menu.tsx'
import { pageSearch, useListPage } from '#/kit/list/use-list-page.ts'
import { sshKeyLink } from '#/features/ssh-keys/links.ts'
import { type SshKey, sshKeys } from '#/features/ssh-keys/queries.ts'
import type { Column } from '#/ui/data/column.ts'
import { copyText } from '#/ui/copy-text.ts'

export const Route = createFileRoute('/_console/settings/_ssh-keys')({
  validateSearch: pageSearch,
  loader: (visit) => loadList(visit, sshKeys),
  staticData: { crumb: { label: 'SSH Keys', to: '/settings/ssh-keys' } },
  component: SshKeys,
})

const columns: Column<SshKey>[] = [
  nameColumn<SshKey>(({ name }) => sshKeyLink(name), { over: true }),
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
        <DocsPopover topic="SSH keys" page="first-steps#add-your-ssh-key">
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

function useSshKeyRowActions(): ActionsOf<SshKey> {
  const remove = useOp(op.currentUserSshKeyDelete)
  return ({ name, publicKey }) => [
    {
      label: 'Copy public key',
      icon: <Copy aria-hidden strokeWidth={1.75} />,
      onSelect: () => void copyText(publicKey),
    },
    {
      label: 'Delete',
      onSelect: () =>
        confirmDelete({
          kind: 'SSH key',
          name,
          gone: 'Instances created with it keep it, and new ones do not get it.',
          run: () => remove.run({ path: { sshKey: name } }),
        }),
    },
  ]
}
