import { isUuid } from '@gantry/api/base/name.rules'
import { cdDrives, type CdKind, cdWords, readCdKind } from '@gantry/api/storage/cd.rules'
import { hasMachine } from '@gantry/api/system/fleet.rules'
import { type Change, change } from '@gantry/control-plane/change/change'
import type { Cx } from '@gantry/control-plane/context/cx'
import { conflict, invalid } from '@gantry/control-plane/context/refusal'
import type { Services } from '@gantry/control-plane/context/services'
import type { Row } from '@gantry/control-plane/db/tables'
import { need } from '@gantry/control-plane/lookup/need'
import type { Input } from '@gantry/control-plane/pipeline/implement'
import { cdExchange } from './cd-exchange.ts'

type Instance = Row<'instance'>
type Image = Row<'image'>
/** What is in each drive, by the ids of images. */
export type Cds = readonly (string | null)[]

/** One entry for each drive. */
export const cdsOf = ({ cds }: Pick<Instance, 'cds'>): (string | null)[] =>
  Array.from({ length: cdDrives }, (_, drive) => cds?.[drive] ?? null)

/** As it is stored; null if all drives are empty. */
export const storedCds = (cds: Cds): string | null =>
  cds.every((one) => one === null) ? null : JSON.stringify(cdsOf({ cds: [...cds] }))

/** An image that may be a CD, by its id or by its name in the project. */
export async function needCd(cx: Cx, project_id: string, selector: string): Promise<Image> {
  const at = isUuid(selector) ? { image: selector } : { image: selector, project: project_id }
  const { row } = await need(cx, 'image', at, 'read')
  if (row.project_id !== null && row.project_id !== project_id)
    throw invalid('image does not belong to this project')
  if ((await kindOfCd(cx.services, row)) === 'none')
    throw invalid(
      `Image ${row.name} cannot be inserted. ${cdWords.none}.`,
      'Upload the ISO file of an installer or of drivers as an image, or create a disk from this one.',
    )
  return row
}

/** What an image is as a CD, also if it is from before that was read. */
export const kindOfCd = async (
  { blocks }: Pick<Services, 'blocks'>,
  { cd, content_id, size }: Pick<Image, 'cd' | 'content_id' | 'size'>,
): Promise<CdKind> =>
  cd ?? readCdKind({ size, read: (offset, length) => blocks.read(content_id, offset, length) })

/** Keeps an image that is being inserted from being deleted meanwhile. */
export async function holdCds(tx: Change, cds: Cds): Promise<void> {
  for (const id of new Set(cds)) if (id !== null) await tx.hold('image', id)
}

/** The images for each drive, by their ids or names. */
export async function needCds(
  cx: Cx,
  project_id: string,
  selectors: readonly (string | null)[] | null | undefined,
): Promise<(Image | null)[]> {
  const images: (Image | null)[] = []
  for (const selector of selectors ?? [])
    images.push(selector === null ? null : await needCd(cx, project_id, selector))
  return images
}

/** Inserts, changes or ejects CDs; while the instance runs, its machine gets them before the answer. */
export async function updateCds(
  cx: Cx,
  { path, query, body }: Input<'instanceCdsUpdate'>,
): Promise<Instance> {
  const found = await need(cx, 'instance', { ...path, ...query }, 'modify')
  const images = await needCds(cx, found.row.project_id, body.cds)
  const after = cdsOf({ cds: images.map((image) => image?.id ?? null) })
  const { instance, job } = await change(cx, found.scope, async (tx) => {
    const was = await tx.lock('instance', found.row)
    const before = cdsOf(was)
    if (storedCds(before) === storedCds(after)) return { instance: was }
    await holdCds(tx, after)
    const runs = hasMachine(was.run_state)
    if (runs) await needDrives(tx, was)
    const updated = await tx.update('instance', was, { cds: storedCds(after) }, { touch: false })
    if (!runs) return { instance: updated }
    const args = { instance_id: was.id, vmm_id: was.vmm_id ?? '', before }
    return { instance: updated, job: await tx.takeJob(await tx.job(cdExchange, args)) }
  })
  if (!job) return instance
  await cx.services.runJob(job)
  const settled = await cx.db
    .selectFrom('instance')
    .selectAll()
    .where('id', '=', instance.id)
    .executeTakeFirst()
  return settled ?? instance
}

async function needDrives(tx: Change, { name, vmm_id }: Instance): Promise<void> {
  const vmm = await tx.read
    .selectFrom('vmm')
    .select('has_cd_drives')
    .where('id', '=', vmm_id ?? '')
    .executeTakeFirst()
  if (vmm && !vmm.has_cd_drives)
    throw conflict(
      `instance ${name} was started before this installation had CD drives`,
      'Stop it, then insert the CD.',
    )
}
