import type { ActivityEntry } from '@gantry/api/history/activity'
import { activityCounted, activityShownChanges, platformReason } from '@gantry/api/history/activity.rules'
import { sql } from 'kysely'
import type { Cx } from '../../context/cx.ts'
import { locationOfChange } from '../../lookup/location.ts'
import { surroundingsOf } from './around.ts'
import { changeView, referencesIn } from './differences.ts'
import { large, type Member, type Position } from './member.ts'
import { toldOf } from './merged.ts'
import { namesOf } from './names.ts'
import { isRevertible } from './revert-steps.ts'
import { refusalsAt } from './refusals.ts'
import { endsOf } from './work-ends.ts'

/** The entries at these positions, in their order, without those that the caller may not see. */
export async function entriesAt(cx: Cx, positions: readonly Position[]): Promise<ActivityEntry[]> {
  const made = [...new Set(positions.flatMap(({ entry_id }) => entry_id ?? []))]
  const refused = positions.filter(({ entry_id }) => entry_id === null).map(({ id }) => id)
  const found = await Promise.all([entriesOf(cx, made), refusalsAt(cx, refused)])
  const entries = new Map(found.flat().map((entry) => [entry.id, entry]))
  // A page can lead to an entry by several of its records.
  const order = [...new Set(positions.map(({ id, entry_id }) => entry_id ?? id))]
  return order.flatMap((id) => entries.get(id) ?? [])
}

async function entriesOf(cx: Cx, ids: readonly string[]): Promise<ActivityEntry[]> {
  const members = await membersSeen(cx, ids, activityShownChanges)
  const leads = members.filter(({ id, entry_id }) => id === entry_id)
  if (leads.length === 0) return []
  const told = leads.map((lead) => {
    const seen = members.filter(({ entry_id }) => entry_id === lead.id)
    return { lead, seen, own: toldOf(seen) }
  })
  const [around, ends, names, counts] = await Promise.all([
    surroundingsOf(cx, leads),
    endsOf(cx, leads),
    namesOf(
      cx,
      told.flatMap(({ own }) => own.map(referencesIn)),
    ),
    countsOf(cx, leads),
  ])
  return told.map(({ lead, seen, own }) => {
    const { operation, request_id, time } = lead
    const isPlatform = lead.actor.kind === 'system'
    const end = ends.get(lead.id)
    const begun = around.requests.get(request_id ?? '')?.time_started ?? time
    return {
      id: lead.id,
      time: time.toISOString(),
      outcome: end?.outcome ?? (own[0]?.told === 'failed' ? 'failed' : 'done'),
      actor: around.actorOf(lead),
      planned_by: around.plannedByOf(lead),
      operation,
      request_id,
      ...around.placeOf(lead),
      changes: own.map((member) => changeView(member, names)),
      change_count: counts.get(lead.id) ?? new Set(seen.map(({ entry_place }) => entry_place)).size,
      is_revertible: isRevertible(own),
      reason: end?.reason ?? (isPlatform ? reasonOf(lead) : null),
      took_ms: end ? end.time && end.time.getTime() - begun.getTime() : (around.tookOf(lead) ?? null),
    }
  })
}

/** The changes of these entries that the caller may see, up to a number of places in each. */
export async function membersSeen(cx: Cx, ids: readonly string[], places: number): Promise<Member[]> {
  const members = await membersOf(cx, ids, places)
  return members.filter((member) => cx.can('read', locationOfChange({ ...member, id: member.object_id })))
}

/** How many changes the caller may see of entries with more than they name. */
async function countsOf(cx: Cx, leads: readonly Member[]): Promise<Map<string, number>> {
  const large = leads.filter(({ count }) => count > activityShownChanges)
  const counts = new Map<string, number>()
  if (large.length === 0) return counts
  const { rows } = await sql<{ entry_id: string; kind: string; count: number }>`
    SELECT found.* FROM unnest(${large.map(({ id }) => id)}::uuid[]) asked (id)
    CROSS JOIN LATERAL (
      SELECT entry_id, kind, count(DISTINCT entry_place)::int AS count FROM (
        SELECT c.entry_id, c.kind, c.entry_place FROM change c WHERE c.entry_id = asked.id
        ORDER BY c.entry_place LIMIT ${activityCounted}
      ) counted GROUP BY entry_id, kind
    ) found`.execute(cx.db)
  const entries = new Map(large.map((lead) => [lead.id, lead]))
  for (const { entry_id, kind, count } of rows) {
    const lead = entries.get(entry_id)
    // What an entry tells of has one place and one actor.
    if (!lead || !cx.can('read', locationOfChange({ ...lead, kind, id: lead.project_id ?? '' }))) continue
    counts.set(entry_id, (counts.get(entry_id) ?? 0) + count)
  }
  return counts
}

/** What the platform's work says of itself, after what the object says of its failure. */
function reasonOf({ after, operation }: Member): string | null {
  const failure = after?.failure as { message?: string } | null | undefined
  return failure?.message ?? platformReason(operation) ?? null
}

/** What makes each entry first; then what belongs to it, in the order in which it changed. */
async function membersOf(cx: Cx, ids: readonly string[], places: number): Promise<Member[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<Member>`
    SELECT found.* FROM unnest(${ids}::uuid[]) asked (id)
    CROSS JOIN LATERAL (
      SELECT c.id, c.entry_id, c.kind, c.op, c.object_id, c.name, c.silo_id, c.project_id, c.actor, c.operation,
        c.request_id, c.time, c.generation, c.before - ${large}::text[] AS before, c.after - ${large}::text[] AS after,
        c.entry_place, c.position,
        CASE WHEN c.id = asked.id THEN
          (SELECT max(last.entry_place) + 1 FROM change last WHERE last.entry_id = asked.id) ELSE 0 END AS count
      FROM change c WHERE c.entry_id = asked.id AND c.entry_place < ${places}
      ORDER BY c.entry_place, c.id <> asked.id, c.position LIMIT ${places * 2}
    ) found ORDER BY found.entry_id, found.entry_place, found.id <> found.entry_id, found.position`.execute(
    cx.db,
  )
  return rows
}
