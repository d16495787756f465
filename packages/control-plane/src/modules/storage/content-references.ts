import { sql } from 'kysely'
import type { BlockStore } from '../../blocks/block-store.ts'
import type { Services } from '../../context/services.ts'
import type { Reader } from '../../db/database.ts'
import { withSpace } from '../recycle-bin/give-way.ts'
import { fullRefusal } from '../../context/out-of-space.ts'

/**
 * Whether anything refers to these bytes; a snapshot and its images share them, and so do an upload and its image.
 * Once nothing does, nothing will: new references are only ever copied from existing ones. One statement, because
 * references move meanwhile: a deletion moves one into the recycle bin, a restore takes it out, and an upload hands it
 * over to its image.
 */
export async function isReferenced({ db }: { db: Reader }, contentId: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`SELECT
    EXISTS (SELECT FROM disk WHERE content_id = ${contentId} AND time_deleted IS NULL)
    OR EXISTS (SELECT FROM snapshot WHERE content_id = ${contentId} AND time_deleted IS NULL)
    OR EXISTS (SELECT FROM image WHERE content_id = ${contentId} AND time_deleted IS NULL)
    OR EXISTS (SELECT FROM instance_firmware 
      WHERE variables_id = ${contentId} OR tpm_id = ${contentId})
    OR EXISTS (SELECT FROM recycled WHERE content_id = ${contentId})
    OR EXISTS (SELECT FROM snapshot s JOIN recycled r ON r.object_id = s.instance_snapshot_id
      WHERE s.content_id = ${contentId})
    OR EXISTS (SELECT FROM instance_restore WHERE state = 'running'
      AND disks @> ${JSON.stringify([{ content_id: contentId }])}::jsonb)
    OR EXISTS (SELECT FROM backup_work WHERE copies @> ${JSON.stringify([{ content_id: contentId }])}::jsonb)
    OR EXISTS (SELECT FROM instance_backup_restore WHERE state = 'running'
      AND disks @> ${JSON.stringify([{ content_id: contentId }])}::jsonb)
    OR EXISTS (SELECT FROM instance_import WHERE disks @> ${JSON.stringify([{ content_id: contentId }])}::jsonb)
    OR EXISTS (SELECT FROM image_upload WHERE time_deleted IS NULL
      AND (content_id = ${contentId} AND state IN ('open', 'fetching', 'converting', 'completing')
        OR converted_content_id = ${contentId} AND state = 'converting'))
    OR EXISTS (SELECT FROM support_bundle WHERE content_id = ${contentId} AND time_deleted IS NULL
      AND state IN ('collecting', 'active'))
    OR EXISTS (SELECT FROM update_upload WHERE content_id = ${contentId} AND time_deleted IS NULL
      AND state IN ('open', 'checking')) AS found`.execute(db)
  return rows[0]?.found ?? true
}

/** Refuses to copy bytes without enough free space; a copy that runs out of space later fails on its own. */
export async function refuseWithoutRoom(
  services: Services,
  store: Pick<BlockStore, 'needRoomFor'>,
  contentId: string,
): Promise<void> {
  await withSpace(services, () => store.needRoomFor(contentId)).catch((error: unknown) => {
    throw fullRefusal(error) ?? error
  })
}

interface NewContent {
  content_id: string
  size: number
  from?: string | undefined
}

/**
 * Creates bytes, and removes them again if their object was deleted meanwhile: a job that is rerun after a
 * crash may run long after its object's bytes were removed.
 */
export async function createContent(
  services: Services,
  { content_id, size, from }: NewContent,
): Promise<void> {
  const { db, blocks } = services
  await withSpace(services, () => blocks.create(content_id, size, from))
  if (!(await isReferenced({ db }, content_id))) await blocks.remove(content_id)
}

/** Likewise for a disk, whose bytes are the fleet's. */
export async function createVolume(
  services: Services,
  { content_id, size, from }: NewContent,
): Promise<void> {
  const { db, fleet, ending } = services
  await withSpace(services, () => fleet.volumes.create(content_id, size, from, ending))
  if (!(await isReferenced({ db }, content_id))) await fleet.volumes.remove(content_id)
}

/** Likewise for snapshots of several disks at one point in time. */
export async function createSnapshotsTogether(
  services: Services,
  copies: readonly { from: string; content_id: string; size: number }[],
  machine: string | undefined,
): Promise<{ wasFrozen: boolean }> {
  const { db, blocks, fleet, ending } = services
  const frozen = await withSpace(services, () =>
    fleet.volumes.snapshotTogether(copies, { machine, signal: ending }),
  )
  for (const { content_id } of copies)
    if (!(await isReferenced({ db }, content_id))) await blocks.remove(content_id)
  return frozen
}

/** Likewise for a snapshot of a disk. */
export async function createSnapshotOf(
  services: Services,
  volume: string,
  to: { content_id: string; size: number },
): Promise<void> {
  const { db, blocks, fleet, ending } = services
  await withSpace(services, () => fleet.volumes.snapshot(volume, to, ending))
  if (!(await isReferenced({ db }, to.content_id))) await blocks.remove(to.content_id)
}
