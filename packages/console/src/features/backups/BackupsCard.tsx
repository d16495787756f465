// @chunk backup-rows: of the backups of a project and of an instance, which few open.
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { useChanged } from '#/data/live.ts'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { rowMenu } from '#/kit/list/row-menu.tsx'
import { SectionError } from '#/kit/page/SectionError.tsx'
import { Card, CardEmpty } from '#/ui/data/Card.tsx'
import { Table } from '#/ui/data/Table.tsx'
import { backupsLink } from './links.ts'
import { backupColumns, useBackupActions } from './parts.tsx'
import { type Backup, backupsOf, isBusy } from './queries.ts'

interface Props {
  project: string
  /** By its id. */
  instance: string
  button: ReactNode
}

/** The backups of an instance, with what can be done with them. */
export function BackupsCard({ project, instance, button }: Props) {
  const { data, error, refetch } = useQuery({
    ...backupsOf(project, instance),
    refetchInterval: ({ state }) => state.data?.some(isBusy) && 1000,
  })
  const changed = useChanged()
  const { actions, dialog } = useBackupActions(project)
  const problem = error && !data && <SectionError failure={error} onRetry={() => void refetch()} />
  return (
    <>
      <Card
        title="Backups"
        description="All disks of the instance at one point in time, with its settings, outside of its storage."
        flush
        actions={button}
        footer={
          <>
            Backups of deleted instances are among{' '}
            <PageLink {...backupsLink(project)} className="link">
              all backups of the project
            </PageLink>
            .
          </>
        }
      >
        <Table<Backup>
          inset
          label="Backups"
          columns={useMemo(() => backupColumns(project, 'of instance'), [project])}
          rows={data}
          rowKey={({ id }) => id}
          changedKeys={changed}
          skeletonRows={1}
          actions={(backup) => rowMenu(backup.id, 'Copy ID', actions(backup))}
          {...(problem && { error: <div className="px-3.5 pb-3.5">{problem}</div> })}
          empty={
            <CardEmpty title="No backups">
              Back the instance up to be able to restore it after it is gone.
            </CardEmpty>
          }
        />
      </Card>
      {dialog}
    </>
  )
}
