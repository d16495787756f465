import { createFileRoute, Outlet } from '@tanstack/react-router'
import { createdColumn, descriptionColumn, nameColumn } from '#/kit/list/columns.tsx'
import { DocsPopover } from '#/kit/page/DocsPopover.tsx'
import { ListPage } from '#/kit/list/ListPage.tsx'
import { loadList } from '#/kit/page/loaders.ts'
import { ResourceTable } from '#/kit/list/ResourceTable.tsx'
import { pageSearch, useListPage } from '#/kit/list/use-list-page.ts'
import { useListPalette } from '#/kit/page/palette-items.ts'
import { type BuiltInUser, builtInUserLink, builtInUsers } from '#/features/system/queries.ts'
import { CopyableId } from '#/ui/CopyButton.tsx'
import type { Column } from '#/ui/data/column.ts'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'

export const Route = createFileRoute('/_console/system/_built-in-users')({
  validateSearch: pageSearch,
  loader: (visit) => loadList(visit, builtInUsers),
  staticData: {
    crumb: [
      { label: 'Fleet Access', to: '/system/access' },
      { label: 'Built-in users', to: '/system/built-in-users' },
    ],
  },
  component: BuiltInUsers,
})

const columns: Column<BuiltInUser>[] = [
  nameColumn<BuiltInUser>(({ name }) => builtInUserLink(name), { over: true }),
  descriptionColumn<BuiltInUser>(),
  { id: 'id', header: 'ID', part: 'meta', rank: 'low', cell: ({ id }) => <CopyableId id={id} max={36} /> },
  createdColumn<BuiltInUser>(),
]

function BuiltInUsers() {
  const list = useListPage(builtInUsers)
  useListPalette({
    kind: 'built-in user',
    rows: list.rows,
    rowEntry: ({ name }) => ({ label: name, link: builtInUserLink(name), over: true }),
  })
  return (
    <ListPage
      title="Built-in users"
      docs={
        <DocsPopover topic="built-in users" page="access#users-and-groups">
          Built-in users act for the system itself, and the audit log names them. Nobody can sign in as one,
          and they cannot be changed.
        </DocsPopover>
      }
    >
      <ResourceTable
        label="Built-in users"
        list={list}
        columns={columns}
        empty={<EmptyState title="No built-in users">This server has no built-in users.</EmptyState>}
      />
      <Outlet />
    </ListPage>
  )
}
