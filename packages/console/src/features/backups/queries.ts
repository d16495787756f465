// @chunk backup-rows: of the backups of a project and of an instance, which few open.
import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { allQuery, listQuery, opQuery } from '#/data/queries.ts'

export type Backup = OutputOf<'instanceBackupView'>

export const backupsIn = (project: string) => listQuery(op.instanceBackupList, { query: { project } })
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
