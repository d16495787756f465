import Bot from 'lucide-react/icons/bot'
import { useMemo } from 'react'
import { roleText } from '#/features/access/role-words.tsx'
import { createdColumn, descriptionColumn, nameColumn } from '#/kit/list/columns.tsx'
import { ResourceList } from '#/kit/list/ResourceList.tsx'
import { useListPage } from '#/kit/list/use-list-page.ts'
import type { Column } from '#/ui/data/column.ts'
import { EmptyCell } from '#/ui/data/Truncate.tsx'
import { accountLink, newAccountLink } from './links.ts'
import { AccountDocs, useWhyNotManage } from './parts.tsx'
import { accountsIn, type ServiceAccount } from './queries.ts'
import { useAccountActions } from './use-account-actions.tsx'

const columnsIn = (project: string | undefined): Column<ServiceAccount>[] => [
  nameColumn<ServiceAccount>(({ name }) => accountLink(project, name)),
  {
    id: 'role',
    header: 'Role',
    part: 'meta',
    cell: ({ roleName }) =>
      roleName ? roleText(project === undefined ? 'silo' : 'project', roleName) : <EmptyCell />,
  },
  {
    id: 'tokens',
    header: 'Access tokens',
    part: 'meta',
    isLabelled: true,
    align: 'right',
    cell: ({ tokenCount }) => tokenCount,
  },
  descriptionColumn<ServiceAccount>(),
  createdColumn<ServiceAccount>(),
]

export function AccountList({ project }: { project?: string }) {
  return (
    <ResourceList
      kind="service account"
      icon={Bot}
      title="Service accounts"
      docs={<AccountDocs />}
      list={useListPage(accountsIn(project))}
      columns={useMemo(() => columnsIn(project), [project])}
      actions={useAccountActions(project)}
      rowEntry={({ name }) => ({ label: name, link: accountLink(project, name) })}
      create={{ link: newAccountLink(project), whyNot: useWhyNotManage(project) }}
      empty={{
        title: 'No service accounts',
        text: 'Create a service account for a program that works here by itself.',
      }}
    />
  )
}
