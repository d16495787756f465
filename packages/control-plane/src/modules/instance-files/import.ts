import type { InstanceImportCreate, InstanceImportPlan } from '@gantry/api/compute/instance-file'
import { hardwareProblem } from '@gantry/api/compute/instance.rules'
import { usualHardware } from '@gantry/api/storage/hardware.rules'
import type { ImageUpload } from '@gantry/api/storage/image-upload'
import type { Tag } from '@gantry/api/tags/tag.rules'
import { tagsHeader } from '@gantry/api/tags/tags-header.rules'
import { change } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import { onceEach } from '../../context/once-each.ts'
import { alreadyExists, invalid } from '../../context/refusal.ts'
import { fullRefusal } from '../../context/out-of-space.ts'
import type { Services } from '../../context/services.ts'
import type { Row } from '../../db/tables.ts'
import { need, type Selectors } from '../../lookup/need.ts'
import type { Reader } from '../../db/database.ts'
import { FairQueue } from '../../work/fair-queue.ts'
import { given } from '../compute/hardware/choice.ts'
import { refuseChoice } from '../compute/hardware/refuse-choice.ts'
import { chargeLast } from '../silo/quota.ts'
import { refuseIncomplete, viewOne } from '../storage/image-uploads.ts'
import { ownerOf } from '../storage/upload-holdings.ts'
import { receivedOf } from '../storage/upload-ranges.ts'
import { createdTagsOf } from '../tags/demand.ts'
import type { Description } from './description.ts'
import { fileOfUpload, instanceImport } from './import-job.ts'
import { type FileInstance, readInstanceFile } from './read/file-instance.ts'
import { interfacesIn } from './settings-of-file.ts'

export async function viewImportPlan(cx: Cx, at: Selectors): Promise<InstanceImportPlan> {
  const upload = await needImported(cx, at)
  const found = await readInTurn(cx, upload)
  const { format, description, sizes, digests, losses } = found
  const interfaces = await interfacesIn(cx.db, upload.project_id, description)
  return {
    format,
    name: description.name,
    description: description.description,
    ncpus: description.ncpus,
    memory: description.memory,
    disks: description.disks.map(({ name, is_boot }, at) => ({ name, size: sizes[at] ?? 0, is_boot })),
    network_interfaces: interfaces.map(({ name, was, subnet }) => ({
      name,
      was,
      vpc: subnet?.vpc_name ?? null,
      subnet: subnet?.name ?? null,
    })),
    has_digests: digests.length > 0,
    tags: tagsOf(description),
    losses,
  }
}

/**
 * Begins the task. It needs what creating disks and instances needs, at its beginning and at its end. Whatever would be
 * refused at its end, as far as it is known, is refused now.
 */
export async function beginImport(
  cx: Cx,
  at: Selectors,
  { name, ncpus, memory }: InstanceImportCreate,
): Promise<ImageUpload> {
  const found = await need(cx, 'image_upload', at, 'modify')
  const project = await need(cx, 'project', { project: found.row.project_id }, 'create_child')
  const row = await needImported(cx, at)
  const { description, sizes } = await readInTurn(cx, row)
  const wanted = { ncpus: ncpus ?? description.ncpus, memory: memory ?? description.memory }
  const problem = hardwareProblem(wanted.ncpus, wanted.memory)
  if (problem) throw invalid(problem.reason, 'Choose another size.')
  const boot = description.disks.find(({ is_boot }) => is_boot) ?? description.disks[0]
  const choice = given(description.hardware)
  refuseChoice(cx, choice, { ...usualHardware, ...given(boot?.hardware), ...choice })
  // Those of the request are in place of those of the file.
  const tags = cx.raw?.headers.has(tagsHeader)
    ? Object.entries(cx.request.created_tags?.tags ?? {}).map(([key, value]) => ({ key, value }))
    : tagsOf(description)
  await createdTagsOf(cx, 'instanceImport', tags)
  await refuseTaken(cx.db, row.project_id, name)
  // Images hold what is written of their disks, or that compressed.
  await cx.services.blocks.needRoom(row.size).catch((error: unknown) => {
    throw fullRefusal(error) ?? error
  })
  const { user_id, credential } = cx.user()
  const { id: requestId, uri, address, user_agent } = cx.request
  const upload = await change(cx, found.scope, async (tx) => {
    await tx.hold('project', row.project_id)
    const upload = await tx.lock('image_upload', found.row)
    if (upload.state !== 'open') throw notOpen(upload)
    const disks = sizes.map((size) => ({ snapshot_id: cx.newId(), content_id: cx.newId(), size }))
    const instance_snapshot_id = cx.newId()
    // While they are written, the disks are charged as the instance will be.
    const converted_charge = sizes.reduce((sum, size) => sum + size, 0)
    chargeLast(tx, ownerOf(project.row.silo_id, upload), { storage: converted_charge })
    await tx.plain
      .insertInto('instance_import')
      .values({
        upload_id: upload.id,
        silo_user_id: user_id,
        request: JSON.stringify({ id: requestId, uri, address, user_agent, credential }),
        name,
        ...wanted,
        instance_snapshot_id,
        disks: JSON.stringify(disks),
        tags: JSON.stringify(tags),
      })
      .execute()
    await tx.job(instanceImport, { upload_id: upload.id, instance_snapshot_id })
    return tx.update('image_upload', upload, {
      state: 'converting',
      failure: null,
      percent_converted: 0,
      converted_charge,
    })
  })
  return viewOne(cx, upload)
}

const tagsOf = ({ tags }: Description): Tag[] => Object.entries(tags).map(([key, value]) => ({ key, value }))

/** Files that are read at once: however many one user has, those of others come in between. */
const importTurns = onceEach(
  (_services: Services) => new FairQueue({ atOnce: 4, atOnceEach: 2, waitingEach: 64, waiting: 1024 }),
)

const readInTurn = (cx: Cx, upload: Row<'image_upload'>): Promise<FileInstance> =>
  importTurns(cx.services).run({ owner: cx.user().user_id, signal: cx.raw?.signal }, () =>
    readInstanceFile(fileOfUpload(cx.services, upload)),
  )

/** The upload of a whole file that holds an instance, of which none is being made. */
async function needImported(cx: Cx, at: Selectors): Promise<Row<'image_upload'>> {
  const { row } = await need(cx, 'image_upload', at, 'modify')
  if (row.purpose !== 'instance')
    throw invalid('this upload is of an image', 'Start another upload with the purpose `instance`.')
  if (row.state !== 'open') throw notOpen(row)
  refuseIncomplete((await receivedOf(cx.db, [row.id]))(row.id), row)
  return row
}

const notOpen = ({ state }: Row<'image_upload'>) =>
  state === 'converting' || state === 'done'
    ? invalid(
        `an instance ${state === 'done' ? 'was' : 'is being'} made of this upload`,
        'Look at the tasks.',
      )
    : invalid(`this upload is ${state}`, 'Upload the file again.')

async function refuseTaken(db: Reader, projectId: string, name: string): Promise<void> {
  const taken = await db
    .selectFrom('instance')
    .select('id')
    .where('project_id', '=', projectId)
    .where('name', '=', name)
    .where('time_deleted', 'is', null)
    .executeTakeFirst()
  if (taken) throw alreadyExists('instance', name)
}
