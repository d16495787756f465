import { createFileRoute, Outlet } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useWhyNotInProject } from '#/data/permissions.ts'
import { backupLink } from '#/features/backups/links.ts'
import { BackupDocs, backupColumns, useBackupActions } from '#/features/backups/parts.tsx'
import { bulkBackups } from '#/features/backups/bulk.ts'
import { type Backup, foundBackups, isBusy } from '#/features/backups/queries.ts'
import { useFound } from '#/features/found-list/use-found.tsx'
import { SnapshotTabs } from '#/features/snapshots/SnapshotTabs.tsx'
import { ListPage } from '#/kit/list/ListPage.tsx'
import { NothingMatches } from '#/kit/list/NothingMatches.tsx'
import { ResourceTable } from '#/kit/list/ResourceTable.tsx'
import { findSearch, useListPage } from '#/kit/list/use-list-page.ts'
import { loadList } from '#/kit/page/loaders.ts'
import { useListPalette } from '#/kit/page/palette-items.ts'
import { pollWhile } from '#/kit/page/poll-while.ts'
import { Button } from '#/ui/Button.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'

const BackUpDialog = lazyPart(() => import('#/features/backups/BackUpDialog.tsx'), 'BackUpDialog')

export const Route = createFileRoute('/_console/projects/$project/_backups')({
  validateSearch: findSearch,
  loader: ({ params: { project }, ...visit }) =>
    loadList(visit, foundBackups(project, findSearch(visit.location.search))),
  staticData: { crumb: { label: 'Backups', to: '/projects/$project/backups' } },
  component: Backups,
})

const poll = pollWhile<Backup>(isBusy)

function Backups() {
  const { project } = Route.useParams()
  const whyNotAllowed = useWhyNotInProject(project)
  const query = foundBackups(project, Route.useSearch())
  const list = useListPage(query, { poll })
  const { actions, dialog } = useBackupActions(project)
  const [isBackingUp, setBackingUp] = useState(false)
  const { columns, find } = useFound({
    kind: 'instance-backup',
    pluralNoun: 'backups',
    place: { project },
    list: query,
    rows: list.rows,
    columns: useMemo(() => backupColumns(project), [project]),
    bulk: bulkBackups(whyNotAllowed),
  })
  useListPalette({
    kind: 'backup',
    rows: list.rows,
    rowEntry: ({ name }) => ({ label: name, link: backupLink(project, name), over: true }),
  })
  const button = (kind: 'primary' | 'default') => (
    <Button kind={kind} disabledReason={whyNotAllowed} onClick={() => setBackingUp(true)}>
      Back up instance
    </Button>
  )
  return (
    <ListPage title="Snapshots" docs={<BackupDocs />} actions={button('primary')}>
      <SnapshotTabs project={project}>
        {(find.isFiltered || (list.rows && list.rows.length > 0)) && find.bar}
        <ResourceTable
          label="Backups"
          steady
          list={list}
          columns={columns}
          actions={actions}
          empty={
            find.isFiltered ? (
              <NothingMatches>{find.hiding}</NothingMatches>
            ) : (
              <EmptyState title="No backups" action={button('default')}>
                A backup holds all disks of an instance, outside of its storage. It can be restored after the
                instance is gone.
              </EmptyState>
            )
          }
        />
      </SnapshotTabs>
      {isBackingUp && <BackUpDialog project={project} onClose={() => setBackingUp(false)} />}
      {dialog}
      {/* The panel opens over the list. */}
      <Outlet />
    </ListPage>
  )
}
