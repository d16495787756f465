import { createFileRoute } from '@tanstack/react-router'
import Archive from 'lucide-react/icons/archive'
import { useWhyNotInFleet } from '#/data/permissions.ts'
import { targetLink } from '#/features/backup-targets/links.ts'
import { BackupTargetDocs, placeText, useTargetActions } from '#/features/backup-targets/parts.tsx'
import { type Target, targetsList } from '#/features/backup-targets/queries.ts'
import { createdColumn } from '#/kit/list/columns.tsx'
import { ResourceList } from '#/kit/list/ResourceList.tsx'
import { pageSearch, useListPage } from '#/kit/list/use-list-page.ts'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { loadList } from '#/kit/page/loaders.ts'
import type { Column } from '#/ui/data/column.ts'
import { Size } from '#/ui/data/Figures.tsx'
import { formatNumber } from '#/ui/data/format.ts'
import { Tag } from '#/ui/data/Tag.tsx'
import { Truncate } from '#/ui/data/Truncate.tsx'

export const Route = createFileRoute('/_console/system/_backup-targets')({
  validateSearch: pageSearch,
  loader: (visit) => loadList(visit, targetsList),
  staticData: { crumb: { label: 'Backup targets', to: '/system/backup-targets' } },
  component: BackupTargets,
})

const columns: Column<Target>[] = [
  {
    id: 'name',
    header: 'Name',
    part: 'name',
    cell: ({ name, isDefault }) => (
      <span className="inline-flex items-center gap-2">
        <PageLink {...targetLink(name)} className="name">
          {name}
        </PageLink>
        {isDefault && <Tag>Default</Tag>}
      </span>
    ),
  },
  {
    id: 'place',
    header: 'Store',
    part: 'line',
    cell: (target) => <Truncate text={placeText(target)} max={48} />,
  },
  {
    id: 'backups',
    header: 'Backups',
    align: 'right',
    isLabelled: true,
    cell: ({ backups }) => <span className="tabular-nums">{formatNumber(backups)}</span>,
  },
  {
    id: 'stored',
    header: 'Stored',
    align: 'right',
    isLabelled: true,
    cell: ({ stored }) => <Size bytes={stored} />,
  },
  createdColumn<Target>(),
]

function BackupTargets() {
  return (
    <ResourceList
      kind="backup target"
      icon={Archive}
      title="Backup targets"
      docs={<BackupTargetDocs />}
      list={useListPage(targetsList)}
      columns={columns}
      actions={useTargetActions()}
      rowEntry={({ name }) => ({ label: name, link: targetLink(name) })}
      create={{ link: { to: '/system/backup-targets-new' }, whyNot: useWhyNotInFleet() }}
      empty={{
        title: 'No backup targets',
        text: 'Without one, no instance can be backed up. Add a folder of the server or an S3 bucket.',
      }}
    />
  )
}
