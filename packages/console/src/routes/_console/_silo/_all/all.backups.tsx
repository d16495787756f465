import { createFileRoute } from '@tanstack/react-router'
import { AllList } from '#/features/all-projects/AllList.tsx'
import { nameIn, projectColumn } from '#/features/all-projects/columns.tsx'
import { everyBackup } from '#/features/all-projects/queries.ts'
import { bulkBackups } from '#/features/backups/bulk.ts'
import { backupLink, backupsLink } from '#/features/backups/links.ts'
import { aboutColumns } from '#/features/backups/parts.tsx'
import { type Backup, isBusy } from '#/features/backups/queries.ts'
import type { Details } from '#/features/found-list/details.tsx'
import { loadList } from '#/kit/page/loaders.ts'
import { findSearch } from '#/kit/list/use-list-page.ts'
import { pollWhile } from '#/kit/page/poll-while.ts'
import type { Column } from '#/ui/data/column.ts'

export const Route = createFileRoute('/_console/_silo/_all/all/backups')({
  validateSearch: findSearch,
  loader: (visit) => loadList(visit, everyBackup(findSearch(visit.location.search))),
  staticData: { crumb: { label: 'Backups', to: '/all/backups' } },
  component: All,
})

const columnsWith = (details: Details): Column<Backup>[] => [
  nameIn(details, ({ name }, project) => (project === undefined ? undefined : backupLink(project, name))),
  projectColumn(details, backupsLink),
  ...aboutColumns,
]

const poll = pollWhile<Backup>(isBusy)
const bulk = bulkBackups(undefined)

function All() {
  return (
    <AllList
      label="Backups"
      kind="instance-backup"
      pluralNoun="backups"
      list={everyBackup(Route.useSearch())}
      columnsWith={columnsWith}
      poll={poll}
      bulk={bulk}
    />
  )
}
