import type {
  BackupAdoption,
  BackupStores,
  BackupTarget,
  BackupTargetCreate,
  BackupTargetCreated,
  BackupTargetTest,
  BackupTargetUpdate,
  HeldBackups,
} from '@gantry/api/backups/backup-target'
import {
  backupContentsMax,
  backupStoreTypes,
  encryptionKeyProblem,
} from '@gantry/api/backups/backup-target.rules'
import { series } from '@gantry/api/base/state.rules'
import { nameWith } from '@gantry/api/storage/instance-snapshot.rules'
import { sql } from 'kysely'
import type { BackupStore } from '../../blocks/backup-store.ts'
import { type Change, change, fleetScope } from '../../change/change.ts'
import { liveRows } from '../../change/children.ts'
import type { Cx } from '../../context/cx.ts'
import { conflict, invalid, invalidValue, Refusal } from '../../context/refusal.ts'
import { sealUserSecret } from '../../context/seal-user-secret.ts'
import type { Row } from '../../db/tables.ts'
import { type ListQuery, listAll } from '../../list/page.ts'
import { blockerDetails } from '../../lookup/blockers.ts'
import { sees } from '../../lookup/location.ts'
import { need, needFleet, type Selectors } from '../../lookup/need.ts'
import { resourceView } from '../../lookup/views.ts'
import { idInManifestName, manifestPrefix } from './format/layout.ts'
import type { Manifest } from './format/layout.ts'
import { type Sealing, sealingBy } from './format/sealing.ts'
import { readManifest, rowOf } from './manifests.ts'
import {
  insertInner,
  keyOf,
  openTarget,
  readMarker,
  refusalOf,
  refuseForeign,
  textOfKey,
  told,
  writeMarker,
} from './opened.ts'
import { endWork } from './work.ts'

type Target = Row<'backup_target'>

interface Held {
  backup_target_id: string
  backups: number
  stored: number
}

async function targetViews({ db }: Cx, rows: readonly Target[]): Promise<BackupTarget[]> {
  const ids = rows.map(({ id }) => id)
  const { rows: sums } = await sql<Held>`SELECT backup_target_id, count(*)::int4 AS backups,
      coalesce(sum(stored), 0)::int8 AS stored
    FROM instance_backup WHERE time_deleted IS NULL AND backup_target_id = ANY (${ids}::uuid[])
    GROUP BY backup_target_id`.execute(db)
  const held = new Map(sums.map((sum) => [sum.backup_target_id, sum]))
  return rows.map((row) => {
    const { backups = 0, stored = 0 } = held.get(row.id) ?? {}
    return resourceView<BackupTarget>(row, {
      store: row.place,
      is_default: row.is_default,
      backups,
      stored,
    })
  })
}

export async function listTargets(cx: Cx, query: ListQuery) {
  needFleet(cx, 'list_children')
  const { items, next_page } = await listAll(cx, 'backup_target', query, (row) => row)
  return { items: await targetViews(cx, items), next_page }
}

export async function viewTarget(cx: Cx, at: Selectors): Promise<BackupTarget> {
  const { row } = await need(cx, 'backup_target', at, 'read')
  const [view] = await targetViews(cx, [row])
  if (!view) throw new Error('a row makes a view')
  return view
}

/** What this server can use as a place: an operator sees it before anything is filled in. */
export function listStores(cx: Cx): BackupStores {
  needFleet(cx, 'list_children')
  const { backupStores } = cx.services
  return { items: backupStoreTypes.map((type) => ({ type, problem: backupStores.whyNot(type) ?? null })) }
}

/** Adds a place: an empty one with a key of its own, or one that holds backups, with the key that it has. */
export async function createTarget(cx: Cx, body: BackupTargetCreate): Promise<BackupTargetCreated> {
  needFleet(cx, 'create_child')
  const { services } = cx
  const { secret, ...place } = { secret: '', ...body.store }
  const whyNot = services.backupStores.whyNot(place.type)
  if (whyNot !== undefined) throw invalid(whyNot)
  const keyProblem = body.encryption_key ? encryptionKeyProblem(body.encryption_key) : undefined
  if (keyProblem !== undefined) throw invalidValue('encryption_key', keyProblem)
  const store = services.backupStores.open(place, secret, services.ending)
  const key = body.encryption_key ? keyOf(body.encryption_key) : services.random(32)
  const sealing = await sealingBy(key)
  const id = cx.newId()
  await told(() => refuseOtherKey(store, sealing, body.encryption_key ?? undefined))
  const encryption_key = textOfKey(key)
  const secrets = {
    encryption_key: await services.seal.seal(encryption_key),
    secret: secret === '' ? '' : await sealUserSecret(cx, 'secret', secret),
  }
  const row = await change(cx, fleetScope, async (tx) => {
    const stored = JSON.stringify(place)
    const other = await tx.read
      .selectFrom('backup_target')
      .select('name')
      .where('time_deleted', 'is', null)
      .where(sql<boolean>`place = ${stored}::jsonb`)
      .executeTakeFirst()
    if (other)
      throw conflict(`backup target ${other.name} is the same place`, 'Use that one, or another place.')
    if (body.is_default) await unsetDefault(tx)
    const made = await tx.insert('backup_target', {
      id,
      name: body.name,
      description: body.description,
      place: stored,
      is_default: body.is_default,
    })
    await insertInner(tx, id, secrets)
    return made
  })
  // Only now, so that a refused request takes nothing over.
  await told(() => writeMarker(store, id, sealing))
  const [view] = await targetViews(cx, [row])
  if (!view) throw new Error('a row makes a view')
  return { ...view, encryption_key }
}

async function refuseOtherKey(
  store: BackupStore,
  sealing: Sealing,
  given: string | undefined,
): Promise<void> {
  const marker = await readMarker(store)
  if (!marker) {
    if (given === undefined) return
    throw invalid(
      'the place holds no backups that this key could open',
      'Check the place, or leave the key out to begin there.',
    )
  }
  if (given === undefined)
    throw invalid(
      'the place holds backups already',
      'Give the key that was shown when it was made, or choose an empty folder or prefix.',
    )
  if (marker.check !== sealing.check)
    throw invalid('the key is not the one of this place', 'Give the key that was shown when it was made.')
}

/** Of all targets but this one. */
async function unsetDefault(tx: Change, except?: string): Promise<void> {
  const rows = await tx.read
    .selectFrom('backup_target')
    .selectAll()
    .where('is_default', '=', true)
    .where('time_deleted', 'is', null)
    .forUpdate()
    .execute()
  for (const row of rows) if (row.id !== except) await tx.update('backup_target', row, { is_default: false })
}

/** What it is called, and whether new backups go there; where it is stays. */
export async function updateTarget(
  cx: Cx,
  at: Selectors,
  { name, description, is_default }: BackupTargetUpdate,
): Promise<BackupTarget> {
  const { row } = await need(cx, 'backup_target', at, 'modify')
  const saved = await change(cx, fleetScope, async (tx) => {
    if (is_default) await unsetDefault(tx, row.id)
    const target = await tx.lock('backup_target', row)
    return tx.update('backup_target', target, {
      name: name ?? target.name,
      description: description ?? target.description,
      is_default: is_default ?? target.is_default,
    })
  })
  const [view] = await targetViews(cx, [saved])
  if (!view) throw new Error('a row makes a view')
  return view
}

/** Forgets a place with its backups, which stay there. */
export async function deleteTarget(cx: Cx, at: Selectors): Promise<void> {
  const { row } = await need(cx, 'backup_target', at, 'modify')
  await change(cx, fleetScope, async (tx) => {
    const target = await tx.lock('backup_target', row)
    await refuseInSchedules(tx, target)
    const backups = await liveRows(tx, 'instance_backup', 'backup_target_id', target.id)
    const { rows: places } = await sql<{ id: string; silo_id: string }>`SELECT DISTINCT p.id, p.silo_id
      FROM instance_backup b JOIN project p ON p.id = b.project_id
      WHERE b.backup_target_id = ${target.id} AND b.time_deleted IS NULL`.execute(tx.plain)
    const { rows: restoring } = await sql`SELECT FROM instance_backup_restore r
      JOIN instance_backup b ON b.id = r.instance_backup_id
      WHERE r.state = 'running' AND b.backup_target_id = ${target.id} LIMIT 1`.execute(tx.plain)
    if (restoring.length > 0)
      throw conflict('a backup of this target is being restored', 'Wait until that is done.')
    await tx.remove('backup_target', target)
    for (const { id, silo_id } of places) {
      tx.at({ silo_id, project_id: id })
      await tx.removeAll(
        'instance_backup',
        backups.filter(({ project_id }) => project_id === id),
      )
    }
    tx.at(fleetScope)
    // Jobs of backups that are being made find them gone.
    for (const { id, state } of backups) if (state !== 'creating') await endWork(tx, id)
    await tx.plain.deleteFrom('backup_target_inner').where('backup_target_id', '=', target.id).execute()
  })
}

/** As many as a refusal names. */
const schedulesNamed = 20

/** Refuses while schedules name it: each of their runs would fail. Those that write to the default target do not. */
async function refuseInSchedules(tx: Change, target: Target): Promise<void> {
  const { rows } = await sql<{
    name: string
    project: string
    project_id: string
    silo_id: string
    total: number
  }>`
    SELECT s.name, p.name AS project, p.id AS project_id, p.silo_id, count(*) OVER ()::int4 AS total
    FROM schedule s JOIN project p ON p.id = s.project_id
    WHERE s.time_deleted IS NULL AND s.target->>'backup_target' = ${target.id}
    ORDER BY s.name, p.name LIMIT ${schedulesNamed}`.execute(tx.plain)
  const [first] = rows
  if (!first) return
  const shown = rows.filter(({ silo_id, project_id }) => sees(tx.cx, 'schedule', { silo_id, project_id }))
  const words = [
    ...shown.map(({ name, project }) => `schedule ${name} of project ${project}`),
    ...hiddenWords(first.total - shown.length),
  ]
  throw new Refusal('Conflict', `backup target ${target.name} is named by ${series(words, 'and')}`, {
    help: 'Have them write to another target, or delete them, first.',
    details: blockerDetails([
      { kind: 'schedule', words: 'a schedule', count: first.total, names: shown.map(({ name }) => name) },
    ]),
  })
}

const hiddenWords = (count: number): string[] =>
  count === 0 ? [] : [`${count} ${count === 1 ? 'schedule' : 'schedules'} that you may not see`]

/** Writes, reads, lists and deletes a small object, and looks whose place it is. */
export async function testTarget(cx: Cx, at: Selectors): Promise<BackupTargetTest> {
  const { row } = await need(cx, 'backup_target', at, 'modify')
  try {
    const target = await openTarget(cx.services, row.id, cx.services.ending)
    await refuseForeign(target)
    const { store, sealing } = target
    const name = `tests/${cx.newId()}`
    const bytes = cx.services.random(1024)
    await store.put(name, await sealing.seal(name, bytes))
    const names = await store.list('tests/', undefined)
    const sealed = await store.get(name, 4096)
    await store.remove(name)
    if (!sealed || !names.includes(name))
      return { works: false, problem: 'What was written could not be found again. Look at the store.' }
    await sealing.open(name, sealed, bytes.length)
    return { works: true, problem: null }
  } catch (error) {
    const refusal = refusalOf(error)
    if (!refusal) throw error
    return { works: false, problem: `${refusal.message.replace(/\.$/, '')}. ${refusal.extra.help}` }
  }
}

/** What a place holds, by its manifests: what no database needs to know. */
export async function listContents(cx: Cx, at: Selectors, after: string | undefined): Promise<HeldBackups> {
  const { row } = await need(cx, 'backup_target', at, 'read')
  return told(async () => {
    const target = await openTarget(cx.services, row.id, cx.services.ending)
    const all = await target.store.list(manifestPrefix, after && `${manifestPrefix}${after}`)
    const names = all.slice(0, backupContentsMax)
    const known = await knownOf(cx, names.map(idInManifestName))
    const items: HeldBackups['items'] = []
    for (const name of names) {
      const manifest = await readManifest(target, name)
      if (!manifest) continue
      const { id, time_taken, instance, project, silo, size, disks } = manifest
      items.push({
        id,
        name: manifest.name,
        time_created: time_taken,
        instance_name: instance.name,
        project_name: project.name,
        silo_name: silo.name,
        size,
        disks: disks.length,
        is_known: known.has(id),
      })
    }
    const last = names.at(-1)
    return {
      items,
      next: all.length > names.length && last ? last.slice(manifestPrefix.length) : null,
    }
  })
}

async function knownOf({ db }: Cx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('instance_backup')
    .select('id')
    .where('id', 'in', ids)
    .where('time_deleted', 'is', null)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Brings backups into a project by their manifests. Those that are in one already are left alone. */
export async function adoptBackups(cx: Cx, at: Selectors, body: BackupAdoption): Promise<void> {
  const { row } = await need(cx, 'backup_target', at, 'modify')
  const wanted = new Set(body.backups)
  const manifests = await told(async () => {
    const target = await openTarget(cx.services, row.id, cx.services.ending)
    const found: Manifest[] = []
    for (let after: string | undefined; ;) {
      const names = await target.store.list(manifestPrefix, after)
      for (const name of names) {
        if (!wanted.has(idInManifestName(name))) continue
        const manifest = await readManifest(target, name)
        if (manifest) found.push(manifest)
      }
      after = names.at(-1)
      if (after === undefined || found.length === wanted.size) return found
    }
  })
  if (manifests.length < wanted.size)
    throw invalid('the place does not hold all of these backups', 'Reload what it holds, and choose again.')
  const { row: project, scope } = await need(cx, 'project', { project: body.project }, 'create_child')
  await change(cx, scope, async (tx) => {
    await tx.hold('project', project.id)
    await tx.hold('backup_target', row.id)
    for (const manifest of manifests) await adopt(tx, manifest, project.id, row.id)
  })
}

async function adopt(tx: Change, manifest: Manifest, project_id: string, target: string): Promise<void> {
  const present = await tx.lockById('instance_backup', manifest.id).catch((error: unknown) => {
    if (error instanceof Refusal && error.code === 'ObjectNotFound') return undefined
    throw error
  })
  if (present) return
  const values = {
    ...rowOf(manifest),
    project_id,
    backup_target_id: target,
    name: await freeName(tx, project_id, manifest),
    state: 'ready' as const,
    failure: null,
    stored: null,
    time_verified: null,
  }
  // One that went with a target that was forgotten comes back under its id.
  const former = await tx.lockDeleted('instance_backup', manifest.id)
  if (former) await tx.restore('instance_backup', former, values)
  else await tx.insert('instance_backup', { id: manifest.id, ...values })
}

async function freeName(tx: Change, project_id: string, { id, name }: Manifest): Promise<string> {
  const taken = await tx.read
    .selectFrom('instance_backup')
    .select('id')
    .where('project_id', '=', project_id)
    .where('name', '=', name)
    .where('time_deleted', 'is', null)
    .executeTakeFirst()
  return taken ? nameWith(name, `-${id.slice(-8)}`) : name
}
