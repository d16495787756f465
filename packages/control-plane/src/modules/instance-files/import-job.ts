import { sha1 } from '@noble/hashes/legacy.js'
import { sha256, sha512 } from '@noble/hashes/sha2.js'
import { operationId, ops } from '@gantry/api/registry'
import { nameWith } from '@gantry/api/storage/instance-snapshot.rules'
import { sql } from 'kysely'
import { z } from 'zod'
import { authorOfTask } from '../../authz/person.ts'
import { type Change, change } from '../../change/change.ts'
import { liveRows } from '../../change/children.ts'
import { defineJob, type Repeat, repeatIn } from '../../change/define-job.ts'
import { Cx, requestInfo, systemCx } from '../../context/cx.ts'
import { toHex } from '../../context/ids.ts'
import { onceEach } from '../../context/once-each.ts'
import { fullRefusal } from '../../context/out-of-space.ts'
import { breather } from '../../context/pauses.ts'
import { Refusal } from '../../context/refusal.ts'
import type { Services } from '../../context/services.ts'
import type { Reader } from '../../db/database.ts'
import type { Row } from '../../db/tables.ts'
import { ignoreNotFound } from '../../work/ignore-not-found.ts'
import { failureOf } from '../../work/jobs.ts'
import { createFromSnapshot } from '../instance-snapshots/use.ts'
import { createContent } from '../storage/content-references.ts'
import { removeContentLater } from '../storage/content-removal.ts'
import {
  endInstanceImport,
  findOwned,
  giveBack,
  type Owned,
  releaseConverted,
} from '../storage/upload-holdings.ts'
import { writeBytes } from '../storage/write-bytes.ts'
import { writesEnded } from '../storage/writes.ts'
import { createdTagsOf } from '../tags/demand.ts'
import { type Algorithm, type FileInstance, readInstanceFile } from './read/file-instance.ts'
import { damagedFile, type ImageFile } from './read/unusable-file.ts'
import { interfacesIn, settingsFrom } from './settings-of-file.ts'

type Upload = Row<'image_upload'>
type Import = Row<'instance_import'>

/** How often work that waits looks for its turn. */
const waitMs = 1000
/** How often progress is stored, and a cancelled import noticed. */
const beatMs = 1000
const pieceBytes = 1024 * 1024

export const fileOfUpload = ({ blocks }: Services, { content_id, size }: Upload): ImageFile => ({
  size,
  read: (offset, length) => blocks.read(content_id, offset, length),
})

/** The import was cancelled, or another attempt does it. */
class Unwanted extends Error {}

/**
 * Checks the digests of a file, writes the bytes of its disks, and creates the instance by an instance snapshot that is
 * there for no longer than that takes. After a crash it begins again, unless the snapshot is there.
 */
export const instanceImport = defineJob(
  'instance-import',
  z.object({ upload_id: z.string(), instance_snapshot_id: z.string() }),
  async (cx, args): Promise<Repeat | undefined> => {
    const found = await findOwned(cx, args.upload_id)
    const begun = await importOf(cx, args.upload_id)
    if (found?.upload.state !== 'converting' || begun?.instance_snapshot_id !== args.instance_snapshot_id) {
      await removeSnapshot(cx, args.instance_snapshot_id)
      return undefined
    }
    return inTurn(cx.services, begun, async () => {
      try {
        const file = fileOfUpload(cx.services, found.upload)
        const read = await readInstanceFile(file)
        if (!(await hasSnapshot(cx, begun))) {
          const own = await claimed(cx, found, begun)
          const again = own && (await copied(cx, { begun: own, file, read }))
          if (again) return again
          if (own) await makeSnapshot(cx, found, own, read)
        }
        await finish(cx, found, begun)
      } catch (error) {
        if (!(error instanceof Unwanted)) throw error
        // The snapshot of a later attempt is needed.
        if (!(await importOf(cx, args.upload_id))) await removeSnapshot(cx, args.instance_snapshot_id)
      }
      return undefined
    })
  },
  {
    // Waiting for a turn counts as attempts.
    maxAttempts: Infinity,
    isLong: true,
    /** The uploaded bytes are kept. */
    async gaveUp(cx, { upload_id, instance_snapshot_id }, error) {
      await removeSnapshot(cx, instance_snapshot_id)
      const found = await findOwned(cx, upload_id)
      if (!found) return
      await change(cx, found.scope, async (tx) => {
        const upload = await tx.lockById('image_upload', upload_id).catch(ignoreNotFound)
        if (upload?.state !== 'converting') return
        await endInstanceImport(tx, upload_id)
        await releaseConverted(tx, found.silo_id, upload)
        const failure = JSON.stringify(failureOf(error, cx.now(), 'The instance could not be created.'))
        await tx.update('image_upload', upload, {
          state: 'open',
          failure,
          percent_converted: null,
          converted_charge: null,
        })
      })
    },
  },
)

const importOf = ({ db }: { db: Reader }, uploadId: string): Promise<Import | undefined> =>
  db.selectFrom('instance_import').selectAll().where('upload_id', '=', uploadId).executeTakeFirst()

/** The user of each import in this process. */
const importsOf = onceEach((_services: Services) => new Map<string, string>())

/** Only a few run at once, and half of them for one user; the others wait without occupying a job slot. */
async function inTurn(
  services: Services,
  { upload_id, silo_user_id }: Import,
  work: () => Promise<Repeat | undefined>,
): Promise<Repeat | undefined> {
  const imports = importsOf(services)
  const atOnce = Math.max(2, services.settings.image_conversion.at_once)
  const own = [...imports.values()].filter((user) => user === silo_user_id).length
  if (imports.has(upload_id) || imports.size >= atOnce || own >= Math.ceil(atOnce / 2))
    return repeatIn(waitMs)
  imports.set(upload_id, silo_user_id)
  try {
    return await work()
  } finally {
    imports.delete(upload_id)
  }
}

/**
 * Each attempt writes bytes of its own: the process of the one before may have been slow, not dead, and would otherwise
 * remove and write what this one does. Undefined if it has made the snapshot meanwhile.
 */
async function claimed(cx: Cx, { scope, upload }: Owned, begun: Import): Promise<Import | undefined> {
  const disks = begun.disks.map((disk) => ({ ...disk, content_id: cx.newId() }))
  return change(importCx(cx), scope, async (tx) => {
    const locked = await tx.lockById('image_upload', upload.id).catch(ignoreNotFound)
    const known = await importOf({ db: tx.read }, upload.id)
    if (locked?.state !== 'converting' || !known) throw new Unwanted()
    if (await hasSnapshot({ db: tx.read }, begun)) return undefined
    await tx.plain
      .updateTable('instance_import')
      .set({ disks: JSON.stringify(disks) })
      .where('upload_id', '=', upload.id)
      .execute()
    for (const { content_id } of known.disks) await removeContentLater(tx, content_id)
    return { ...begun, disks }
  })
}

/** Whether the bytes that this attempt writes are still those of the import. */
const isCurrent = (known: Import | undefined, { disks }: Import): boolean =>
  known?.disks[0]?.content_id === disks[0]?.content_id

/** Copies that fail are not begun again automatically, because they may take hours. */
async function copied(cx: Cx, copying: Copying): Promise<Repeat | undefined> {
  try {
    await writesEnded(cx.services)
    await copyDisks(cx, copying)
    return undefined
  } catch (error) {
    if (cx.services.ending.aborted) return repeatIn(0)
    // Its bytes went with it, or with a later attempt.
    if (!isCurrent(await importOf(cx, copying.begun.upload_id), copying.begun)) throw new Unwanted()
    if (error instanceof Unwanted || error instanceof Refusal) throw error
    const full = fullRefusal(error)
    if (full) throw full
    cx.services.log.error({ err: error }, 'an instance could not be imported')
    throw new Refusal('Internal', 'The disks could not be written on the server.', {
      help: 'Import the file again. If that keeps failing, contact the operator.',
    })
  }
}

interface Copying {
  begun: Import
  file: ImageFile
  read: FileInstance
}

/** Reads the file twice: first its digests are checked, then each disk is written. */
async function copyDisks(cx: Cx, { begun, file, read }: Copying): Promise<void> {
  const { services } = cx
  const total =
    read.digests.reduce((sum, { entry }) => sum + entry.size, 0) +
    read.images.reduce((sum, image) => sum + (image?.size ?? 0), 0)
  const breath = breather()
  let told = performance.now()
  const tell = async (done: number): Promise<void> => {
    services.ending.throwIfAborted()
    await breath()
    if (performance.now() - told < beatMs) return
    told = performance.now()
    if (!(await storeProgress(cx, begun, (100 * done) / Math.max(1, total)))) throw new Unwanted()
  }
  let done = 0
  for (const { name, algorithm, digest, entry } of read.digests) {
    const hash = hashes[algorithm].create()
    for (let at = 0; at < entry.size; at += pieceBytes) {
      hash.update(await file.read(entry.offset + at, Math.min(pieceBytes, entry.size - at)))
      await tell(done + at)
    }
    if (toHex(hash.digest()) !== digest)
      throw damagedFile(`the bytes of ${name} are not those that its digest is of`)
    done += entry.size
  }
  for (const [at, { content_id, size }] of begun.disks.entries()) {
    await createContent(services, { content_id, size })
    const image = read.images[at]
    if (!image) continue
    for await (const { offset, bytes } of image.pieces()) {
      if (!isZero(bytes)) await writeBytes(services, services.blocks, content_id, offset, bytes)
      await tell(done + offset)
    }
    done += image.size
  }
  if (!(await storeProgress(cx, begun, 100))) throw new Unwanted()
}

const hashes = { sha1, sha256, sha512 } as const satisfies Record<Algorithm, unknown>

const isZero = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 0)

/** Whether this attempt is still wanted; assumed while the database is unavailable. */
async function storeProgress(
  { services: { db } }: Cx,
  { upload_id, disks: [first] }: Import,
  percent: number,
): Promise<boolean> {
  const own = JSON.stringify([{ content_id: first?.content_id }])
  const updated = await db
    .updateTable('image_upload')
    .set({ percent_converted: Math.min(100, Math.floor(percent)) })
    .where('id', '=', upload_id)
    .where('state', '=', 'converting')
    .where('time_deleted', 'is', null)
    .where(
      sql<boolean>`EXISTS (SELECT FROM instance_import WHERE upload_id = ${upload_id} AND disks @> ${own}::jsonb)`,
    )
    .executeTakeFirst()
    .catch(() => undefined)
  return updated === undefined || updated.numUpdatedRows > 0n
}

const hasSnapshot = async ({ db }: { db: Reader }, { instance_snapshot_id }: Import): Promise<boolean> =>
  (await db
    .selectFrom('instance_snapshot')
    .select('id')
    .where('id', '=', instance_snapshot_id)
    .where('time_deleted', 'is', null)
    .executeTakeFirst()) !== undefined

const importCx = ({ services }: Pick<Cx, 'services'>): Cx => systemCx(services, 'job:instance-import')

/** It counts towards no quota: until now its upload was charged for the disks, and what is made of it is from now on. */
async function makeSnapshot(
  cx: Cx,
  { scope, upload, silo_id }: Owned,
  begun: Import,
  { description }: FileInstance,
): Promise<void> {
  const interfaces = await interfacesIn(cx.db, upload.project_id, description)
  const { instance_snapshot_id: id, disks, ncpus, memory } = begun
  await change(importCx(cx), scope, async (tx) => {
    await tx.hold('project', scope.project_id)
    const locked = await tx.lockById('image_upload', upload.id).catch(ignoreNotFound)
    const known = await importOf({ db: tx.read }, upload.id)
    if (locked?.state !== 'converting' || !isCurrent(known, begun)) throw new Unwanted()
    await releaseConverted(tx, silo_id, locked)
    await tx.update('image_upload', locked, { converted_charge: null }, { touch: false })
    const name = nameWith(begun.name, `-importing-${id.slice(-6)}`)
    const members = description.disks.flatMap((disk, at) => {
      const copy = disks[at]
      return copy ? [{ disk, ...copy, slot: at, disk_id: tx.cx.newId() }] : []
    })
    const hasBoot = description.disks.some(({ is_boot }) => is_boot)
    await tx.insert('instance_snapshot', {
      id,
      name,
      description: `Of file ${upload.name}, while it is being imported`,
      project_id: upload.project_id,
      instance_id: tx.cx.newId(),
      instance_name: begun.name,
      state: 'ready',
      consistency: null,
      size: 0,
      disks: JSON.stringify(
        members.map(({ disk, disk_id, snapshot_id, size, slot }) => ({
          disk_id,
          snapshot_id,
          name: disk.name,
          description: disk.description,
          size,
          slot,
          is_boot: hasBoot ? disk.is_boot : slot === 0,
          read_only: disk.read_only,
        })),
      ),
      settings: JSON.stringify(
        settingsFrom(description, interfaces, { ncpus, memory, hostname: begun.name }),
      ),
      user_data: '',
    })
    for (const { disk, disk_id, snapshot_id, content_id, size, slot } of members)
      await tx.insert('snapshot', {
        id: snapshot_id,
        name: nameWith(name, `-${slot}`),
        description: `Disk ${disk.name} in instance snapshot ${name}`,
        project_id: upload.project_id,
        disk_id,
        size,
        block_size: disk.block_size,
        state: 'ready',
        content_id,
        hardware: disk.hardware && JSON.stringify(disk.hardware),
        instance_snapshot_id: id,
      })
  })
}

/** As the user who asked for it, with the roles of now. */
async function finish(cx: Cx, found: Owned, begun: Import): Promise<void> {
  const { instance_id } = (await madeOf(cx, begun)) ?? { instance_id: await create(cx, begun) }
  await removeSnapshot(cx, begun.instance_snapshot_id)
  await change(importCx(cx), found.scope, async (tx) => {
    const upload = await tx.lockById('image_upload', found.upload.id).catch(ignoreNotFound)
    if (upload?.state !== 'converting') return
    await giveBack(tx, found.silo_id, upload)
    await removeContentLater(tx, upload.content_id)
    await tx.update('image_upload', upload, { state: 'done', instance_id, percent_converted: null })
  })
}

async function create(cx: Cx, begun: Import): Promise<string> {
  const { credential: _credential, ...request } = begun.request
  const info = {
    ...request,
    id: `${request.id}/${begun.upload_id}`,
    operation: operationId('instanceImport'),
    status: ops.instanceImport.status,
  }
  const author = new Cx(cx.services, await authorOfTask(cx.services, begun), requestInfo(cx.services, info))
  author.request.created_tags = await createdTagsOf(author, 'instanceImport', begun.tags)
  const instance = await createFromSnapshot(
    author,
    { instance_snapshot: begun.instance_snapshot_id },
    { name: begun.name, start: false },
  )
  return instance.id
}

/** Whether a disk of what was imported exists or did, which only this import makes, and which instance has it. */
async function madeOf({ db }: Cx, { disks }: Import): Promise<{ instance_id: string | null } | undefined> {
  return db
    .selectFrom('disk')
    .select('instance_id')
    .where(
      'snapshot_id',
      'in',
      disks.map(({ snapshot_id }) => snapshot_id),
    )
    .executeTakeFirst()
}

/** Disks that are still being written of it keep its bytes until then. */
async function removeSnapshot(cx: Cx, id: string): Promise<void> {
  const found = await cx.db
    .selectFrom('instance_snapshot')
    .innerJoin('project', 'project.id', 'instance_snapshot.project_id')
    .select(['project.id as project_id', 'project.silo_id'])
    .where('instance_snapshot.id', '=', id)
    .where('instance_snapshot.time_deleted', 'is', null)
    .executeTakeFirst()
  if (!found) return
  await change(importCx(cx), found, async (tx: Change) => {
    const snapshot = await tx.lockById('instance_snapshot', id).catch(ignoreNotFound)
    if (!snapshot) return
    const members = await liveRows(tx, 'snapshot', 'instance_snapshot_id', id)
    await tx.remove('instance_snapshot', snapshot)
    await tx.removeAll('snapshot', members)
    for (const { content_id } of members) await removeContentLater(tx, content_id)
  })
}
