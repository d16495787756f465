import { plannedKinds } from '@gantry/api/history/deletion.rules'
import { pastKinds, pastListKinds } from '@gantry/api/history/past.rules'
import { protectedKinds } from '@gantry/api/history/protection.rules'
import { recycledKinds } from '@gantry/api/history/recycle-bin.rules'
import { favouriteKinds } from '@gantry/api/views/favourite.rules'
import { addActivityPlace } from '@gantry/control-plane/testing/alerts'
import { sql } from 'kysely'
import type { Chance } from './chance.ts'
import type { Draft } from './draft.ts'
import { nameByKind, type Near, tableOf } from './kind-and-id.ts'
import type { Scene } from './scene.ts'
import type { Thing } from './world.ts'

/**
 * Requests about what happened and what can be taken back: they name a kind beside an id, or need the hash of a plan, or
 * what the caller has begun. Whatever they need first is asked for as the same caller.
 */
export async function finishHistory(draft: Draft, { bed }: Scene, chance: Chance, near: Near): Promise<void> {
  const { headers } = draft
  async function ask<Body>(method: string, path: string, body?: unknown): Promise<Partial<Body>> {
    const request = new Request(`http://localhost${path}`, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const answer = await bed.plane.fetch(request, { address: '127.0.0.1' })
    const text = await answer.text()
    return answer.status < 300 && text !== '' ? (JSON.parse(text) as Partial<Body>) : {}
  }
  const one = <Item>(items: readonly Item[] | undefined): Item | undefined =>
    items && items.length > 0 ? chance.pick(items) : undefined
  const anyId = crypto.randomUUID()
  /** Of the bed, whose clock is ahead of this host's. */
  const now = async (): Promise<string> => {
    const { rows } = await sql<{ time: Date }>`SELECT max(time) AS time FROM change`.execute(bed.db)
    return new Date(rows[0]?.time ?? Date.now()).toISOString()
  }
  const about = (of: readonly string[], parameter: string) =>
    nameByKind(draft, { of, parameter, chance, near })
  const within = (): string => (chance.odds(80) ? `?project=${near('project')?.id ?? anyId}` : '')

  switch (draft.op.id) {
    case 'activity_revert_view':
    case 'activity_revert': {
      interface Entry {
        id: string
        is_revertible: boolean
      }
      const { items } = await ask<{ items: Entry[] }>('GET', `/ext/v1/activity${within()}`)
      const id = one(items?.filter((entry) => entry.is_revertible))?.id ?? anyId
      draft.path = draft.op.path.replace('{entry_id}', id)
      if (draft.method === 'POST') {
        const { hash } = await ask<{ hash: string }>('GET', `/ext/v1/activity/${id}/revert`)
        draft.body = { hash: hash ?? 'x', keep: [] }
      }
      break
    }
    case 'deletion_plan_view':
      about(plannedKinds, 'object_id')
      break
    case 'deletion_create':
    case 'plan_deletion_create': {
      const kind = chance.pick(plannedKinds)
      const object_id = near(tableOf(kind))?.id ?? anyId
      const { hash } = await ask<{ hash: string }>('GET', `/ext/v1/deletion-plans/${object_id}?kind=${kind}`)
      draft.body = { kind, object_id, hash: hash ?? 'x' }
      break
    }
    case 'deletion_cancel':
      await resume('deletion', near('deletion'))
      break
    case 'restoration_create':
      draft.body = { deletion_id: near('deletion')?.id ?? anyId }
      break
    case 'restoration_cancel':
      await resume('restoration', near('restoration'))
      break
    case 'favourite_add':
      about(favouriteKinds, 'object_id')
      break
    case 'favourite_remove': {
      const kind = chance.pick(favouriteKinds)
      const object_id = near(tableOf(kind))?.id ?? anyId
      await ask('PUT', `/ext/v1/favourites/${object_id}?kind=${kind}`)
      draft.path = draft.op.path.replace('{object_id}', object_id)
      break
    }
    case 'object_delete':
      about(recycledKinds, 'object_id')
      break
    case 'recycled_item_restore':
      draft.body = { name: chance.odds(50) ? `again-${chance.word(6)}` : null, together: [] }
      break
    case 'past_object_view':
      about(pastKinds, 'object_id')
      draft.query = [...draft.query.filter(([name]) => name !== 'at'), ['at', await now()]]
      break
    case 'past_object_list': {
      const vpc = near('vpc')
      const project = vpc?.parents.project?.id ?? anyId
      draft.query = [
        ['project', project],
        ['vpc', vpc?.id ?? anyId],
        ['kind', chance.pick(pastListKinds)],
        ['at', await now()],
      ]
      if (draft.query[2]?.[1] !== 'vpc-firewall-rule') draft.query.splice(1, 1)
      break
    }
    case 'protection_update':
    case 'protection_remove':
    case 'plan_protection_update':
    case 'plan_protection_remove': {
      const protection = { no_delete: true, no_stop: false, reason: `a reason ${chance.word(6)}` }
      about(protectedKinds, 'object_id')
      if (draft.method === 'PUT') draft.body = protection
      else {
        const plain = draft.path.replace('/ext/v1/plans', '')
        await ask('PUT', `${plain}?${new URLSearchParams(draft.query).toString()}`, protection)
      }
      break
    }
    case 'saved_plan_view':
    case 'saved_plan_check':
    case 'saved_plan_commit':
    case 'saved_plan_withdraw': {
      const { id = anyId } = await ask<{ id: string }>('POST', '/ext/v1/saved-plans', {
        method: 'PUT',
        path: `/v1/projects/${near('project')?.id ?? anyId}`,
        body: JSON.stringify({ description: chance.word(8) }),
      })
      draft.path = draft.op.path.replace('{saved_plan_id}', id)
      if (draft.op.id === 'saved_plan_commit') {
        const check = `/ext/v1/saved-plans/${id}/check`
        const { current } = await ask<{ current: { hash: string } | null }>('POST', check)
        draft.body = { hash: current?.hash ?? 'x' }
      }
      break
    }
    case 'object_names':
      draft.query = [['id', near('instance')?.id ?? anyId]]
      break
    case 'alert_activity_place_add':
      draft.body = { project: near('project')?.id ?? anyId }
      break
    case 'alert_activity_place_remove': {
      const receiver = near('alert_receiver')
      const place = receiver && (await addActivityPlace(bed.db, receiver.id))
      draft.path = draft.op.path
        .replace('{receiver}', receiver?.id ?? anyId)
        .replace('{place_id}', place ?? anyId)
      break
    }
    case 'issue_acknowledge':
    case 'issue_acknowledgement_remove': {
      const { items } = await ask<{ items: { id: string }[] }>('GET', '/ext/v1/system/issues')
      const issue = encodeURIComponent(one(items)?.id ?? anyId)
      draft.path = draft.op.path.replace('{issue}', issue)
      if (draft.method === 'DELETE')
        await ask('PUT', `/ext/v1/system/issues/${issue}/acknowledgement`, { note: chance.word(6) })
      break
    }
    case 'task_view': {
      const { items } = await ask<{ items: { id: string }[] }>('GET', `/ext/v1/tasks${within()}`)
      draft.path = draft.op.path.replace('{task_id}', one(items)?.id ?? anyId)
      break
    }
    case 'bulk_tagging_view':
    case 'bulk_tagging_cancel':
    case 'bulk_tagging_retry':
    case 'bulk_deletion_view':
    case 'bulk_deletion_cancel':
    case 'bulk_deletion_retry': {
      // Of an object that does not exist, so that the others stay.
      const isTagging = draft.op.id.startsWith('bulk_tagging')
      const asked = { kind: 'disk', objects: [anyId], ...(isTagging && { remove: ['env'] }) }
      const path = `/ext/v1/bulk-${isTagging ? 'taggings' : 'deletions'}${within()}`
      const { id = anyId } = await ask<{ id: string }>('POST', path, asked)
      draft.path = draft.op.path.replace('{action}', id)
      if (draft.op.id.endsWith('_cancel')) await asRunning(id)
      if (draft.op.id.endsWith('_retry')) await asFailed(id)
      break
    }
    case 'instance_action_cancel': {
      await asRunning(near('instance_action')?.id ?? anyId)
      break
    }
    case 'current_user_request_list': {
      const { items } = await ask<{ items: { id: string }[] }>('GET', '/ext/v1/activity?mine=true')
      draft.query = [['entry', one(items)?.id ?? anyId]]
      break
    }
  }

  async function asRunning(action: string): Promise<void> {
    await sql`UPDATE instance_action SET time_completed = NULL WHERE id = ${action}`.execute(bed.db)
    await sql`UPDATE instance_action_item SET state = 'pending' WHERE action_id = ${action}`.execute(bed.db)
  }

  /** As one whose job is done, with every object failed. */
  async function asFailed(action: string): Promise<void> {
    await sql`UPDATE instance_action SET time_completed = now() WHERE id = ${action}`.execute(bed.db)
    await sql`UPDATE instance_action_item SET state = 'failed' WHERE action_id = ${action}`.execute(bed.db)
  }

  /** As one that still runs, to be cancelled; no job performs it. */
  async function resume(table: 'deletion' | 'restoration', thing: Thing | undefined): Promise<void> {
    const id = thing?.id ?? anyId
    await sql`UPDATE ${sql.table(table)} SET state = 'running', time_ended = NULL WHERE id = ${id}`.execute(
      bed.db,
    )
    draft.path = draft.op.path.replace(`{${table}_id}`, id)
  }
}
