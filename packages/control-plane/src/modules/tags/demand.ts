import { kindsCreatedBy } from '@gantry/api/tags/created-tags.rules'
import { type DemandableKind, demandableKinds, missingKeys } from '@gantry/api/tags/tag-demand.rules'
import { tagsHeader, tagsHeaderLength, tagsOfHeader } from '@gantry/api/tags/tags-header.rules'
import { ownTagsOf, type TagDemand } from '@gantry/api/tags/tag'
import type { Tag } from '@gantry/api/tags/tag.rules'
import type { OpName } from '@gantry/api/registry'
import { change } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import { invalid } from '../../context/refusal.ts'
import { onceEach } from '../../context/once-each.ts'
import type { CreatedTags, Services } from '../../context/services.ts'
import type { Reader } from '../../db/database.ts'
import { needOwnSilo } from '../../lookup/need.ts'
import type { Input } from '../../pipeline/implement.ts'

const nothing: TagDemand = { keys: [], kinds: [], is_for_all_clients: false }

/** What silos demand, read a moment ago: a change counts at once in this process, and within these ms in others. */
const keptMs = 5000
const kept = 10_000
const demands = onceEach((_services: Services) => new Map<string, { demand: TagDemand; time: number }>())

/** Every creation asks for it, so it is read rarely. */
async function recentDemandOf(cx: Cx, silo_id: string): Promise<TagDemand> {
  const known = demands(cx.services)
  const now = cx.now().getTime()
  const recent = known.get(silo_id)
  if (recent && Math.abs(now - recent.time) < keptMs) return recent.demand
  const demand = await demandOf(cx.db, silo_id)
  if (known.size >= kept) known.clear()
  known.set(silo_id, { demand, time: now })
  return demand
}

async function demandOf(db: Pick<Reader, 'selectFrom'>, silo_id: string): Promise<TagDemand> {
  const row = await db
    .selectFrom('silo_tag_demand')
    .select(['keys', 'kinds', 'is_for_all_clients'])
    .where('silo_id', '=', silo_id)
    .executeTakeFirst()
  return row ?? nothing
}

export async function viewTagDemand(cx: Cx): Promise<TagDemand> {
  const { silo_id } = needOwnSilo(cx, 'read')
  return demandOf(cx.db, silo_id)
}

export async function updateTagDemand(cx: Cx, { body }: Input<'tagDemandUpdate'>): Promise<TagDemand> {
  const { silo_id } = needOwnSilo(cx, 'modify')
  const next: TagDemand = {
    keys: [...new Set(body.keys)].toSorted(),
    kinds: demandableKinds.filter((kind) => body.kinds.includes(kind)),
    is_for_all_clients: body.is_for_all_clients,
  }
  const updated = await change(cx, { silo_id, project_id: null }, async (tx) => {
    await tx.hold('silo', silo_id)
    const before = await demandOf(tx.read, silo_id)
    await tx.plain
      .insertInto('silo_tag_demand')
      .values({ silo_id, ...next })
      .onConflict((conflict) => conflict.column('silo_id').doUpdateSet(next))
      .execute()
    if (JSON.stringify(before) !== JSON.stringify(next)) tx.note('silo-tag-demand', silo_id, before, next)
    return next
  })
  demands(cx.services).delete(silo_id)
  return updated
}

/**
 * The tags that a request gives what it creates. Programs that know no tags send no header, and are refused only where
 * the silo demands tags of all clients.
 */
export async function createdTags(
  cx: Cx,
  name: OpName,
  header: string | null,
  input: { body?: unknown },
): Promise<CreatedTags | undefined> {
  if (!kindsCreatedBy(name)) {
    if (header !== null)
      throw invalid(`this operation takes no ${tagsHeader} header`, 'Edit the tags of the object itself.')
    return undefined
  }
  return createdTagsOf(cx, name, header === null ? undefined : tagsIn(header), input.body)
}

/** The same of tags that are read already; undefined if the client sends none. */
export async function createdTagsOf(
  cx: Cx,
  name: OpName,
  given: readonly Tag[] | undefined,
  body?: unknown,
): Promise<CreatedTags | undefined> {
  const kinds = kindsCreatedBy(name, body)
  if (!kinds) return undefined
  const tags = given && ownTagsOf(given)
  if (typeof tags === 'string') throw invalid(tags)
  const [kind] = kinds
  if ((demandableKinds as readonly (string | undefined)[]).includes(kind))
    await refuseWithout(cx, kind as DemandableKind, tags)
  return tags && tags.length > 0
    ? { kinds, tags: Object.fromEntries(tags.map(({ key, value }) => [key, value])) }
    : undefined
}

function tagsIn(header: string): Tag[] {
  if (header.length > tagsHeaderLength)
    throw invalid(
      `the ${tagsHeader} header is longer than ${tagsHeaderLength} characters`,
      'Create the object, then edit its tags.',
    )
  return tagsOfHeader(header)
}

async function refuseWithout(cx: Cx, kind: DemandableKind, tags: readonly Tag[] | undefined): Promise<void> {
  const demand = await recentDemandOf(cx, cx.user().silo_id)
  if (!demand.kinds.includes(kind) || (tags === undefined && !demand.is_for_all_clients)) return
  const missing = missingKeys(demand.keys, tags ?? [])
  if (missing.length === 0) return
  throw invalid(
    `in this silo, a new object of this kind needs tags with these keys: ${missing.join(', ')}`,
    `Give each a value. Programs send them as the header ${tagsHeader}: ${missing.map((key) => `${key}=VALUE`).join('&')}`,
    { tag_keys: missing },
  )
}
