import { tagField } from '@gantry/api/history/activity.rules'
import { tagText } from '@gantry/api/tags/tag-text.rules'
import type { TaggedKind } from '@gantry/api/tags/tag.rules'
import type { Cx } from '../../context/cx.ts'
import { listOf, tagsIn } from '../tags/stored.ts'
import type { Told } from './merged.ts'
import { rowNow } from './reversals.ts'
import { fieldStates, isGone, locationFor, type Reverting } from './step.ts'
import { tableOf } from '../../lookup/table-of.ts'

type Stored = ReadonlyMap<string, string>

/** One object that was tagged: its tags before the change, after it and now, and the keys that the change set or removed. */
interface Tagged {
  lead: Told
  kind: TaggedKind
  back: Stored
  made: Stored
  now: Stored
  keys: string[]
}

/** Takes back the tags that a change set or removed; those that are set since stay. */
export async function tagsStep(cx: Cx, told: readonly Told[]): Promise<Reverting> {
  const tagged: Tagged[] = []
  let generation: number | undefined
  const [first] = told
  if (!first) return undefined
  for (const lead of told.filter((one) => one.told === 'tagged')) {
    const kind = lead.kind as TaggedKind
    const row = await rowNow(cx, tableOf(kind), lead.object_id)
    // One object that is gone does not keep the others from being reverted.
    if (!row) {
      if (lead === first) return isGone(lead)
      continue
    }
    const [back, made, now] = [tagsIn(lead.before?.tags), tagsIn(lead.after?.tags), tagsIn(row.tags)]
    const keys = [...new Set([...back.keys(), ...made.keys()])]
      .filter((key) => back.get(key) !== made.get(key))
      .sort()
    tagged.push({ lead, kind, back, made, now, keys })
    generation = row.generation as number
  }
  const [one] = tagged
  if (!one) return undefined
  const { lead } = one
  return {
    kind: lead.kind,
    id: lead.object_id,
    name: lead.name,
    action: 'tagged',
    instance_id: undefined,
    location: locationFor(lead),
    ...(tagged.length === 1 ? ofOne(one, generation) : ofMany(tagged)),
  }
}

/** Each tag is a field. */
const ofOne = ({ lead, kind, back, made, now, keys }: Tagged, generation: number | undefined) => ({
  fields: keys.map((key) => fieldStates(`${tagField}${key}`, made.get(key), now.get(key), back.get(key))),
  generation,
  request: (keep: ReadonlySet<string>) => {
    const tags = new Map(now)
    for (const key of keys.filter((key) => !keep.has(`${tagField}${key}`))) {
      const value = back.get(key)
      if (value === undefined) tags.delete(key)
      else tags.set(key, value)
    }
    return {
      op: 'tagsUpdate' as const,
      input: { path: { object_id: lead.object_id }, query: { kind }, body: { tags: listOf(tags) } },
    }
  },
})

/** Each object is a field, by its id. */
const ofMany = (tagged: readonly Tagged[]) => ({
  fields: tagged.map(({ lead, back, made, now, keys }) => {
    const text = (tags: Stored) => textOf(tags, keys)
    return fieldStates(lead.object_id, text(made), text(now), text(back))
  }),
  generation: undefined,
  request: (keep: ReadonlySet<string>) => {
    const edits = tagged
      .filter(({ lead }) => !keep.has(lead.object_id))
      .map(({ lead, kind, back, keys }) => ({
        kind,
        id: lead.object_id,
        set: listOf(new Map(keys.flatMap((key) => (back.has(key) ? [[key, back.get(key) ?? '']] : [])))),
        remove: keys.filter((key) => !back.has(key)),
      }))
    return { op: 'tagsEdit' as const, input: { path: {}, query: {}, body: { edits } } }
  },
})

/** What an object has of these keys. */
function textOf(tags: Stored, keys: readonly string[]): string {
  return keys
    .flatMap((key) => (tags.has(key) ? [tagText({ key, value: tags.get(key) ?? '' })] : []))
    .join(', ')
}
