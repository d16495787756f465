// @chunk backup-rows: of the backups of a project and of an instance, which few open.
import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { allQuery, listQuery, opQuery } from '#/data/queries.ts'
import { foundList } from '#/kit/list/found-list.ts'
import type { FindSearch } from '#/kit/list/use-list-page.ts'

export type Backup = OutputOf<'instanceBackupView'>

/** Those of a project, with the URL's filter and order. */
export const foundBackups = (project: string, search: FindSearch) =>
  foundList(
    listQuery(op.instanceBackupList, { path: {}, query: { project } }),
    op.instanceBackupList,
    { project },
    search,
  )
/** Those of an instance, by its id. */
export const backupsOf = (project: string, instanceId: string) =>
  allQuery(op.instanceBackupList, { query: { project, instanceId } })
export const backupAt = (project: string, instanceBackup: string) => ({
  path: { instanceBackup },
  query: { project },
})
export const backupView = (project: string, name: string) =>
  opQuery(op.instanceBackupView, backupAt(project, name))

export type BackupPlace = OutputOf<'instanceBackupTargetList'>['items'][number]

/** Where the backups of a project can be written. */
export const backupPlaces = (project: string) => opQuery(op.instanceBackupTargetList, { query: { project } })

export const isBusy = ({ state }: Pick<Backup, 'state'>): boolean =>
  state === 'creating' || state === 'verifying'
