import { z } from 'zod'
import { FailureReason } from '../extensions.ts'
import { snapshotStates } from './snapshot.rules.ts'
import { del, family, get, post } from '../op.ts'
import {
  ByteCount,
  identityCreate,
  InProject,
  listInProject,
  named,
  NameOrId,
  OfProject,
  ours,
  pageOf,
  Uuid,
  withIdentity,
} from '../schema.ts'

export const SnapshotState = named('SnapshotState', z.enum(snapshotStates))
export const Snapshot = named(
  'Snapshot',
  withIdentity({
    project_id: Uuid,
    disk_id: Uuid,
    size: ByteCount,
    state: SnapshotState,
    /** Ours: the instance snapshot that it belongs to, with which it is deleted; otherwise null. */
    instance_snapshot_id: ours(Uuid.nullish()),
    /** Ours: why the snapshot is faulted; otherwise null. */
    failure: ours(FailureReason.nullish()),
  }),
)
export type Snapshot = z.infer<typeof Snapshot>
export const SnapshotPage = pageOf('Snapshot', Snapshot)
export const SnapshotCreate = named('SnapshotCreate', z.object({ ...identityCreate, disk: NameOrId }))

const path = z.object({ snapshot: NameOrId })

export const snapshotOps = family('snapshots', ['snapshot'], {
  snapshotList: get('/v1/snapshots', {
    summary: 'List snapshots of a project',
    ...listInProject,
    returns: SnapshotPage,
  }),
  snapshotCreate: post('/v1/snapshots', {
    changes: ['snapshot', 'disk', 'utilization'],
    summary: 'Take a snapshot of a disk',
    query: OfProject,
    body: SnapshotCreate,
    returns: Snapshot,
  }),
  snapshotView: get('/v1/snapshots/{snapshot}', {
    revalidates: true,
    summary: 'Fetch a snapshot',
    path,
    query: InProject,
    returns: Snapshot,
  }),
  snapshotDelete: del('/v1/snapshots/{snapshot}', {
    changes: ['snapshot', 'utilization'],
    summary: 'Delete a snapshot',
    path,
    query: InProject,
  }),
})
