import { canonicalUuid } from '@gantry/api/base/name.rules'
import type { Kind } from '@gantry/api/kind.gen'
import { type OpName, operationId, ops } from '@gantry/api/registry'
import type { Operation, QueryOf } from '@gantry/api/op'
import { sql } from 'kysely'
import type { Cx } from '../../context/cx.ts'
import type { SentInput } from '../../db/tables/changes.ts'
import { needSession } from '../sign-in/sessions/need-session.ts'
import { membersSeen } from './entries.ts'
import type { Member } from './member.ts'

const names = new Map(Object.keys(ops).map((name) => [operationId(name), name as OpName]))

interface Kept {
  request_id: string
  operation_id: string
  request: SentInput
}

/** The caller's own requests behind entries that they may see now, in the order in which they are asked for. */
export async function listSentRequests(cx: Cx, { entry }: QueryOf<typeof ops.currentUserRequestList>) {
  needSession(cx, 'requests')
  const { user_id } = cx.user()
  const ids = [...new Set(entry.map(canonicalUuid))]
  const members = await membersSeen(cx, ids, 1)
  const leads = members.filter(
    ({ id, entry_id, actor }) =>
      id === entry_id && actor.kind === 'silo_user' && actor.silo_user_id === user_id,
  )
  const kept = await keptOf(cx, user_id, leads)
  const order = new Map(ids.map((id, index) => [id, index]))
  const items = leads
    .toSorted((one, other) => (order.get(one.id) ?? 0) - (order.get(other.id) ?? 0))
    .flatMap((lead) => {
      const found = kept.get(requestOf(lead) ?? '')
      const name = found && names.get(found.operation_id)
      if (!name) return []
      const { method, path, until }: Operation = ops[name]
      // Only programs of former versions send it.
      if (until !== undefined) return []
      const { request_id, request } = found
      const { tags, ...input } = request
      return {
        entry_id: lead.id,
        request_id,
        operation: name,
        method: method as 'POST' | 'PUT' | 'DELETE',
        path,
        input: JSON.stringify(input),
        tags: Object.entries(tags).map(([key, value]) => ({ key, value })),
        answered: lead.request_id === request_id ? answeredBy(name, lead) : null,
      }
    })
  return { items }
}

/** The request of an entry; of a step of a task, the one that began the task. */
const requestOf = ({ request_id }: Member): string | undefined => request_id?.split('/', 1)[0]

async function keptOf(cx: Cx, user_id: string, leads: readonly Member[]): Promise<Map<string, Kept>> {
  const asked = [...new Set(leads.flatMap((lead) => requestOf(lead) ?? []))]
  if (asked.length === 0) return new Map()
  const { rows } = await sql<Kept>`
    SELECT found.* FROM unnest(${asked}::text[]) asked (id)
    CROSS JOIN LATERAL (SELECT request_id, operation_id, request FROM audit
      WHERE request_id = asked.id AND silo_user_id = ${user_id} AND request IS NOT NULL LIMIT 1) found`.execute(
    cx.db,
  )
  return new Map(rows.map((row) => [row.request_id, row]))
}

/** Requests that answer with what they create, and whose names do not say so. Records of tokens say only that there is one. */
const created: Readonly<Partial<Record<OpName, Kind>>> = {
  faultInject: 'fault',
  instanceSnapshotUse: 'instance',
  instanceTemplateUse: 'instance',
  localIdpUserCreate: 'silo-user',
  serviceAccountTokenCreate: 'device-access-token',
  siloUserInvite: 'silo-user',
  systemUpdateTrustRootCreate: 'tuf-trust-root',
  webhookReceiverCreate: 'alert-receiver',
}

/** The kind of what a request creates and answers with; an import creates an image, and answers with a task. */
export function createdBy(name: OpName): Kind | undefined {
  const { changes }: Operation = ops[name]
  const named = changes.filter((kind) => name.toLowerCase().endsWith(`${kind.replaceAll('-', '')}create`))
  return created[name] ?? named.toSorted((one, other) => other.length - one.length)[0]
}

const answeredBy = (name: OpName, { op, kind, object_id, name: called }: Member) =>
  kind === createdBy(name) && (op === 'create' || name in created) ? { id: object_id, name: called } : null
