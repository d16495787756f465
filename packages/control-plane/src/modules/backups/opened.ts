import { z } from 'zod'
import { type BackupStore, BackupStoreFailed } from '../../blocks/backup-store.ts'
import type { Services } from '../../context/services.ts'
import type { Change } from '../../change/change.ts'
import { invalid, Refusal } from '../../context/refusal.ts'
import type { Row } from '../../db/tables.ts'
import { Marker, markerName } from './format/layout.ts'
import { Damaged, type Sealing, sealingBy } from './format/sealing.ts'

/** A target that can be read and written. */
export interface Opened {
  id: string
  store: BackupStore
  sealing: Sealing
  inner: Row<'backup_target_inner'>
  isTemporary: boolean
}

/** Opens a target whose key this installation has. Nothing is asked of it yet. */
export async function openTarget(services: Services, id: string, signal: AbortSignal): Promise<Opened> {
  const { db, seal, backupStores } = services
  const target = await db
    .selectFrom('backup_target')
    .select('place')
    .where('id', '=', id)
    .where('time_deleted', 'is', null)
    .executeTakeFirst()
  const inner = await db
    .selectFrom('backup_target_inner')
    .selectAll()
    .where('backup_target_id', '=', id)
    .executeTakeFirst()
  if (!target || !inner)
    throw invalid('The backup target is no longer known here.', 'Add it again, with its key.')
  const whyNot = backupStores.whyNot(target.place.type)
  if (whyNot !== undefined) throw invalid(whyNot)
  return {
    id,
    inner,
    isTemporary: backupStores.isTemporary ?? false,
    store: backupStores.open(target.place, await seal.open(inner.secret), signal),
    sealing: await sealingBy(keyOf(await seal.open(inner.encryption_key))),
  }
}

/** Refuses to change a target that another installation has taken over: it would delete what that one writes. */
export async function refuseForeign({ id, store, sealing, isTemporary }: Opened): Promise<void> {
  const marker = await readMarker(store)
  if (!marker && isTemporary) return writeMarker(store, id, sealing)
  if (!marker)
    throw invalid(
      'The target no longer holds what this installation wrote there.',
      'Bring its contents back, or forget the target and add it anew.',
    )
  if (marker.owner === id && marker.check === sealing.check) return undefined
  throw invalid(
    'Another installation has taken this target over.',
    'Forget the target, and use another one. To take it back, add it again with its key.',
  )
}

/** What a place says of itself; undefined if it holds no backups. */
export async function readMarker(store: BackupStore): Promise<z.infer<typeof Marker> | undefined> {
  const bytes = await store.get(markerName, 4096)
  if (!bytes) return undefined
  try {
    return Marker.parse(JSON.parse(new TextDecoder().decode(bytes)))
  } catch (cause) {
    throw new BackupStoreFailed(
      `The place has an object ${markerName} that this version cannot read.`,
      'Choose an empty folder or prefix.',
      { cause },
    )
  }
}

export const writeMarker = (store: BackupStore, owner: string, { check }: Sealing): Promise<void> =>
  store.put(markerName, new TextEncoder().encode(`${JSON.stringify({ format: 1, owner, check })}\n`))

/** Keeps the secrets of a new target, which are sealed. */
export const insertInner = (
  tx: Change,
  backup_target_id: string,
  secrets: { encryption_key: string; secret: string },
): Promise<unknown> =>
  tx.plain
    .insertInto('backup_target_inner')
    .values({
      backup_target_id,
      ...secrets,
      collect_since: null,
      collecting: null,
      damaged: '[]',
      time_damaged: null,
    })
    .execute()

export const keyOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0))

export const textOfKey = (key: Uint8Array): string => btoa(String.fromCharCode(...key))

/** A failure of the store or of what it holds, in the words for who asked; undefined for what is not expected. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error
  if (error instanceof BackupStoreFailed) return invalid(error.message, error.help)
  if (error instanceof Damaged)
    return invalid(
      'What the target holds is not what was written there.',
      'Use another backup, and look at the store: it lost or changed bytes.',
    )
  return undefined
}

/** For requests: what a store says becomes a refusal. */
export async function told<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw refusalOf(error) ?? error
  }
}
