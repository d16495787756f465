import { componentsOf } from '@gantry/control-plane/modules/update/components'
import { planId } from '@gantry/control-plane/modules/update/plan'
import type { TestBed } from '@gantry/control-plane/testing/control-plane'
import { publishersRoot } from '@gantry/control-plane/testing/updates'
import type { Chance } from './chance.ts'
import type { Draft } from './draft.ts'
import type { Scene } from './scene.ts'

const releases = ['1.0.0', '1.1.0', '1.2.0'] as const
/** SHA-256 of one byte, which is zero. */
const digestOfZero = 'bjQLnP+zepicpUTmu3gKLHiQHT+zNzh2hRGjBhevoB0='

/** Software update requests that can succeed: signed documents, known releases, and their prerequisites. */
export async function finishUpdate(draft: Draft, { bed, fleet }: Scene, chance: Chance): Promise<void> {
  switch (draft.op.id) {
    case 'system_update_put_repository':
    case 'system_update_repository_upload':
      draft.text = fleet.repository
      break
    case 'system_update_trust_root_create':
      draft.body = publishersRoot
      break
    case 'system_update_get_repository':
    case 'system_update_repository_view':
    case 'update_repository_delete':
      draft.path = draft.path.replace(/[^/]+$/, chance.pick(releases))
      break
    case 'target_release_update':
      draft.body = { system_version: chance.pick(releases) }
      break
    case 'system_update_recovery_finish':
      await suspendUpdate(bed.db, releases[0])
      draft.body = { system_version: releases[0] }
      break
    case 'update_upload_write':
      draft.query = [['offset', '0']]
      draft.text = new Uint8Array(1)
      draft.headers['content-digest'] = `sha-256=:${digestOfZero}:`
      break
    case 'update_upload_complete':
      await bed.db
        .updateTable('update_upload')
        .set((eb) => ({ received: eb.ref('size') }))
        .where('state', '=', 'open')
        .execute()
      break
    case 'update_retry':
      await bed.db
        .insertInto('update_component')
        .values({
          kind: 'sled_host',
          hardware_id: crypto.randomUUID(),
          version: null,
          state: 'failed',
          target: '1.1.0',
          reason: 'The image does not boot.',
          drain_id: null,
          time_changed: new Date(),
        })
        .execute()
  }
}

/** Without a target, and with the whole rack at one release. */
async function suspendUpdate(db: TestBed['db'], version: string): Promise<void> {
  const at = { version, state: null, target: null, reason: null, drain_id: null }
  const rows = (await componentsOf(db)).map(({ kind, hardware_id }) => ({
    ...at,
    kind,
    hardware_id,
    time_changed: new Date(),
  }))
  await db.deleteFrom('update_component').execute()
  await db.insertInto('update_component').values(rows).execute()
  await db.deleteFrom('target_release').execute()
  const plan = { is_suspended: true, time_last_step: null }
  await db
    .insertInto('update_plan')
    .values({ id: planId, ...plan })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(plan))
    .execute()
}
