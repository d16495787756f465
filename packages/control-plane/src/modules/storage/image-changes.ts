import type { ImageCreate } from '@gantry/api/storage/image'
import type { BootRecord, Hardware } from '@gantry/api/storage/hardware.rules'
import type { CdKind } from '@gantry/api/storage/cd.rules'
import { MiB } from '@gantry/api/base/bytes.rules'
import { snapshotAllows } from '@gantry/api/storage/snapshot.rules'
import { allows } from '@gantry/api/base/state.rules'
import type { Row } from '../../db/tables.ts'
import { type Change, change, changeBefore, type Scope } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import { need, needOwnSilo, type Selectors } from '../../lookup/need.ts'
import { alreadyExists, invalid, Refusal } from '../../context/refusal.ts'
import { bootFactsOf } from './hardware/image-hardware.ts'
import { makeImageContent } from './demo-images.ts'
import { refuseInDrive } from '../compute/hardware/drives.ts'
import { recycle } from '../recycle-bin/recycle.ts'
import { removalOf, removeContentLater } from './content-removal.ts'
import { makeDigestLater } from './image-digest.ts'

type Image = Row<'image'>
type InSilo = Scope & { silo_id: string }

/** The facts of an image besides the caller's metadata. */
interface Substance {
  os: string
  version: string
  block_size: number
  size: number
  content_id: string
  boot_record: BootRecord
  cd: CdKind
  hardware: Hardware | null
  snapshot_id: string | null
}

/** Creates an image in the named project, or else in the silo (control plane reference, B 8.3). */
export async function createImage(cx: Cx, at: Selectors, body: ImageCreate): Promise<Image> {
  const scope = await scopeOfImage(cx, at.project)
  const { snapshot_id, ...substance } = await substanceOf(cx, scope, body)
  return change(cx, scope, async (tx) => {
    if (scope.project_id) await tx.hold('project', scope.project_id)
    // Snapshots and images are immutable, so they share bytes; the lock prevents the removal of those bytes.
    if (snapshot_id) await tx.hold('snapshot', snapshot_id)
    return insertImage(tx, scope, { ...substance, name: body.name, description: body.description })
  })
}

/** Inserts an image's record. A conflict mentions a project image even for a silo image (B 8.3). */
export async function insertImage(
  tx: Change,
  { silo_id, project_id }: InSilo,
  values: Omit<Substance, 'snapshot_id' | 'hardware'> &
    Partial<Pick<Substance, 'hardware'>> &
    Pick<Image, 'name' | 'description'> &
    Partial<Pick<Image, 'source_url' | 'source_sha256' | 'tags'>> & { digest?: string | undefined },
): Promise<Image> {
  const { digest, tags, hardware, ...rest } = values
  const value = digest === undefined ? null : JSON.stringify({ type: 'sha256', value: digest })
  const image = await tx
    .insert('image', {
      ...rest,
      ...(tags && { tags: JSON.stringify(tags) }),
      ...(hardware && { hardware: JSON.stringify(hardware) }),
      silo_id,
      project_id,
      digest: value,
    })
    .catch(takenAs('project-image', rest.name))
  if (digest === undefined) await makeDigestLater(tx, image)
  return image
}

async function scopeOfImage(cx: Cx, project: string | null | undefined): Promise<InSilo> {
  if (project) return (await need(cx, 'project', { project }, 'create_child')).scope
  return { ...needOwnSilo(cx, 'create_child', 'siloImage'), project_id: null }
}

async function substanceOf(cx: Cx, scope: InSilo, { source, os, version }: ImageCreate): Promise<Substance> {
  if (source.type !== 'snapshot') return makeTestSource(cx, scope)
  const { row } = await need(cx, 'snapshot', { snapshot: source.id }, 'read')
  if (scope.project_id && row.project_id !== scope.project_id)
    throw invalid('snapshot does not belong to this project')
  if (!allows(snapshotAllows, 'createImage', row.state))
    throw invalid(`snapshot is in state ${row.state}`, 'Wait until the snapshot is ready.')
  const { block_size, size, content_id, hardware } = row
  const facts = await bootFactsOf(cx.services, row)
  return { os, version, block_size, size, content_id, ...facts, hardware, snapshot_id: row.id }
}

/** Time limit between creating bytes and committing the record that refers to them. */
const abandonedAfterMs = 10 * 60 * 1000

async function makeTestSource(cx: Cx, scope: InSilo): Promise<Substance> {
  const substance = { os: 'alpine', version: 'propolis-blob', block_size: 512, size: 100 * MiB }
  const content_id = cx.newId()
  // Removes bytes that no record comes to refer to, whatever happens to this request.
  const later = new Date(cx.now().getTime() + abandonedAfterMs)
  await changeBefore(cx, scope, (tx) => removeContentLater(tx, content_id, later))
  await makeImageContent(cx.services.blocks, content_id, substance)
  const facts = await bootFactsOf(cx.services, { ...substance, content_id })
  return { ...substance, content_id, ...facts, hardware: null, snapshot_id: null }
}

/**
 * Allowed whatever was made of it: its bytes stay while anything else refers to them. Not while it is in a CD drive, from
 * where it would be gone with the next start.
 */
export async function deleteImage(cx: Cx, at: Selectors): Promise<void> {
  const { row, scope } = await need(cx, 'image', at, 'modify')
  await change(cx, scope, async (tx) => {
    const image = await tx.lockToDelete('image', row)
    await refuseInDrive(tx, image)
    await tx.remove('image', image)
    await recycle(tx, {
      kind: 'image',
      row: image,
      silo_id: image.silo_id,
      project_id: image.project_id,
      content_id: image.content_id,
      removal: removalOf(image),
    })
  })
}

export async function promoteImage(cx: Cx, at: Selectors): Promise<Image> {
  const { row, scope } = await need(cx, 'image', at, 'modify')
  needOwnSilo(cx, 'create_child', 'siloImage')
  return change(cx, scope, async (tx) => {
    const image = await tx.lock('image', row)
    if (image.project_id === null)
      throw invalid('Cannot promote a silo image', 'It is already available to every project.')
    return move(tx, image, 'silo-image', { silo_id: scope.silo_id, project_id: null })
  })
}

/** The project is the target; a name refers to the silo. */
export async function demoteImage(cx: Cx, { image: selector, project }: Selectors): Promise<Image> {
  const { row, scope } = await need(cx, 'image', { image: selector }, 'modify')
  const target = await need(cx, 'project', { project }, 'create_child')
  return change(cx, scope, async (tx) => {
    await tx.hold('project', target.row.id)
    const image = await tx.lock('image', row)
    if (image.project_id !== null) throw invalid('Cannot demote a project image', 'Promote it first.')
    return move(tx, image, 'project-image', { silo_id: scope.silo_id, project_id: target.row.id })
  })
}

async function move(tx: Change, image: Image, type: ImageType, to: InSilo): Promise<Image> {
  const { project_id } = to
  // The name is written as well, because the unique index may refuse it there.
  const moved = await tx
    .update('image', image, { project_id, name: image.name })
    .catch(takenAs(type, image.name))
  // Also published to users who see only one of the two places.
  tx.at(to)
  tx.note('image', image.id, undefined, undefined)
  return moved
}

type ImageType = 'project-image' | 'silo-image'

const takenAs =
  (type: ImageType, name: string) =>
  (error: unknown): never => {
    throw error instanceof Refusal && error.code === 'ObjectAlreadyExists' ? alreadyExists(type, name) : error
  }
