import { consistencyWords } from '@gantry/api/storage/instance-snapshot.rules'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { usePolling } from '#/data/live.ts'
import { instanceLink } from '#/features/instances/links.ts'
import { instanceById } from '#/features/instances/queries.ts'
import { failureText } from '#/kit/feedback/failure-text.ts'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { Button } from '#/ui/Button.tsx'
import { DescriptionItem, WideIdItem } from '#/kit/page/plate-items.tsx'
import { pollWhile } from '#/kit/page/poll-while.ts'
import { useViewed } from '#/kit/page/use-viewed.ts'
import { ViewPanel } from '#/kit/page/ViewPanel.tsx'
import type { Column } from '#/ui/data/column.ts'
import { DataItem, DataPlate } from '#/ui/data/DataPlate.tsx'
import { DateTime } from '#/ui/data/DateTime.tsx'
import { Size } from '#/ui/data/Figures.tsx'
import { formatBytes, formatNumber } from '#/ui/data/format.ts'
import { Table } from '#/ui/data/Table.tsx'
import { Tag } from '#/ui/data/Tag.tsx'
import { EmptyCell } from '#/ui/data/Truncate.tsx'
import { Note } from '#/ui/feedback/Note.tsx'
import { backupsLink } from './links.ts'
import { BackupState, useBackupActions } from './parts.tsx'
import { type Backup, backupView, isBusy } from './queries.ts'

const poll = pollWhile(isBusy)

/** All about one backup, over the list of its project. */
export function BackupPanel() {
  const { project = '', backup: name = '' } = useParams({ strict: false })
  const polls = usePolling(1) !== false
  const { data: backup, onDelete } = useViewed(
    {
      ...backupView(project, name),
      refetchInterval: ({ state }) => polls && poll(state.data ? [state.data] : []),
    },
    backupsLink(project),
  )
  const { actions, dialog } = useBackupActions(project, onDelete)
  const { settings, failure } = backup
  return (
    <ViewPanel title={backup.name} context="Backup" closeTo={backupsLink(project)}>
      {failure && (
        <Note kind="fail" title="This backup cannot be restored">
          {failureText({ message: failure.message, help: failure.nextStep })}
        </Note>
      )}
      <DataPlate narrow>
        <DataItem label="State">
          <BackupState {...backup} failure={null} />
        </DataItem>
        <DataItem label="Instance">
          <InstanceOf project={project} backup={backup} />
        </DataItem>
        <DataItem label="Disks hold" wide>
          {backup.consistency ? consistencyWords[backup.consistency] : <EmptyCell />}
        </DataItem>
        <DataItem label="Size">
          <Size bytes={backup.size} />
        </DataItem>
        <DataItem label="Stored">
          {backup.stored === null ? <EmptyCell /> : <Size bytes={backup.stored} />}
        </DataItem>
        <DataItem label="Target">{backup.backupTargetName}</DataItem>
        <DataItem label="Last verified">
          {backup.timeVerified ? <DateTime value={backup.timeVerified} /> : 'Never'}
        </DataItem>
        <DataItem label="Created">
          <DateTime value={backup.timeCreated} />
        </DataItem>
        <DescriptionItem description={backup.description} />
        <WideIdItem id={backup.id} />
      </DataPlate>
      <div className="flex flex-wrap gap-2">
        {actions(backup).map(
          (action) =>
            action !== 'rule' && (
              <Button key={action.label} disabledReason={action.disabled} onClick={action.onSelect}>
                {action.label}
              </Button>
            ),
        )}
      </div>
      <section aria-label="Disks" className="space-y-2">
        <h3 className="text-md">Disks</h3>
        <Table<BackedUpDisk>
          label="Disks"
          columns={diskColumns}
          rows={backup.disks}
          rowKey={({ diskId }) => diskId}
          empty={null}
        />
      </section>
      <section aria-label="Settings at that time" className="space-y-2">
        <h3 className="text-md">Settings at that time</h3>
        <DataPlate narrow>
          <DataItem label="vCPUs">{formatNumber(settings.ncpus)}</DataItem>
          <DataItem label="Memory">{formatBytes(settings.memory)}</DataItem>
          <DataItem label="Hostname" wide>
            {settings.hostname}
          </DataItem>
        </DataPlate>
      </section>
      {dialog}
    </ViewPanel>
  )
}

/** A link, as long as the instance is in this project. */
function InstanceOf({ project, backup }: { project: string; backup: Backup }) {
  const { data, error } = useQuery(instanceById(backup.instanceId))
  if (data?.projectId === backup.projectId)
    return (
      <PageLink {...instanceLink(project, data.name, 'backups')} className="link">
        {data.name}
      </PageLink>
    )
  return (
    <>
      {backup.instanceName} {(data || error?.statusCode === 404) && <Tag>Deleted</Tag>}
    </>
  )
}

type BackedUpDisk = Backup['disks'][number]

const diskColumns: Column<BackedUpDisk>[] = [
  {
    id: 'name',
    header: 'Disk then',
    part: 'name',
    cell: ({ name }) => <span className="font-medium text-strong">{name}</span>,
  },
  {
    id: 'role',
    header: 'Role',
    part: 'meta',
    cell: ({ isBoot, readOnly }) => {
      const words = [...(isBoot ? ['Boot disk'] : []), ...(readOnly ? ['Read-only'] : [])]
      return words.length > 0 ? words.join(', ') : <EmptyCell />
    },
  },
  { id: 'size', header: 'Size', align: 'right', cell: ({ size }) => <Size bytes={size} /> },
]
