import { generateName } from '@gantry/api/base/name.rules'
import type { ImageUpload } from '@gantry/api/storage/image-upload'
import { change } from '@gantry/control-plane/change/change'
import type { Cx } from '@gantry/control-plane/context/cx'
import { toHex } from '@gantry/control-plane/context/ids'
import { need } from '@gantry/control-plane/lookup/need'
import type { Input } from '@gantry/control-plane/pipeline/implement'
import { refuseTakenName } from '../begin-image.ts'
import { refuseUnmade } from '../content.ts'
import { refuseWithoutRoom } from '../content-references.ts'
import { viewOne } from '../image-uploads.ts'
import { beginSnapshot } from '../snapshots.ts'
import { imageTagsOf } from '../upload-holdings.ts'
import { diskImage } from './disk-image-job.ts'

/**
 * Begins an image of a disk: a snapshot of it, whose bytes the image takes over. A disk in use is copied at one point in
 * time, as a power failure would leave it.
 */
export async function createDiskImage(
  cx: Cx,
  { path, query, body }: Input<'diskImageCreate'>,
): Promise<ImageUpload> {
  const source = await need(cx, 'disk', { ...path, ...query }, 'read')
  const { project_id, block_size } = source.row
  const { row: project, scope } = await need(cx, 'project', { project: project_id }, 'create_child')
  await refuseUnmade(cx, source.row)
  await refuseWithoutRoom(cx.services, cx.services.fleet.volumes, source.row.content_id)
  const { upload, job } = await change(cx, scope, async (tx) => {
    await tx.hold('project', project.id)
    await refuseTakenName(tx.read, project.id, body.name)
    const upload_id = cx.newId()
    const { snapshot, job } = await beginSnapshot(tx, project.silo_id, source.row, {
      name: generateName(
        (digits) => toHex(cx.services.random(Math.ceil(digits / 2))).slice(0, digits),
        body.name,
      ),
      description: `for image ${body.name}, deleted once that is created`,
    })
    const upload = await tx.insert('image_upload', {
      ...body,
      ...imageTagsOf(cx),
      id: upload_id,
      project_id,
      block_size,
      // The snapshot has the bytes, and is charged for them.
      size: 0,
      format: 'raw',
      state: 'copying',
      content_id: cx.newId(),
      image_id: null,
      disk_id: source.row.id,
      snapshot_id: snapshot.id,
    })
    await tx.job(diskImage, { upload_id, snapshot_id: snapshot.id })
    return { upload, job }
  })
  await cx.services.runJob(job)
  return viewOne(cx, upload)
}
