import { need } from '../../lookup/need.ts'
import { implement } from '../../pipeline/implement.ts'
import { createBackup } from './create.ts'
import { deleteBackup } from './delete.ts'
import { beginBackupRestore } from './restore/begin.ts'
import {
  adoptBackups,
  createTarget,
  deleteTarget,
  listContents,
  listStores,
  listTargets,
  testTarget,
  updateTarget,
  viewTarget,
} from './targets.ts'
import { beginVerification } from './verify.ts'
import { backupView, listBackups, listPlaces } from './view.ts'

export const backupsHttp = implement({
  backupTargetList: (cx, { query }) => listTargets(cx, query),
  backupStoreList: async (cx) => listStores(cx),
  backupTargetCreate: (cx, { body }) => createTarget(cx, body),
  backupTargetView: (cx, { path }) => viewTarget(cx, path),
  backupTargetUpdate: (cx, { path, body }) => updateTarget(cx, path, body),
  backupTargetDelete: (cx, { path }) => deleteTarget(cx, path),
  backupTargetTest: (cx, { path }) => testTarget(cx, path),
  backupTargetContents: (cx, { path, query }) => listContents(cx, path, query.after ?? undefined),
  backupTargetAdopt: (cx, { path, body }) => adoptBackups(cx, path, body),
  instanceBackupList: (cx, input) => listBackups(cx, input),
  instanceBackupTargetList: (cx, { query }) => listPlaces(cx, query),
  instanceBackupCreate: async (cx, { query, body }) => backupView(cx, await createBackup(cx, query, body)),
  instanceBackupView: async (cx, { path, query }) =>
    backupView(cx, (await need(cx, 'instance_backup', { ...path, ...query }, 'read')).row),
  instanceBackupDelete: (cx, { path, query }) => deleteBackup(cx, { ...path, ...query }),
  instanceBackupVerify: async (cx, { path, query }) =>
    backupView(cx, await beginVerification(cx, { ...path, ...query })),
  instanceBackupRestore: (cx, input) => beginBackupRestore(cx, input),
})
