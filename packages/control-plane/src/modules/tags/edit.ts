import type { Tags, TagsEdit } from '@gantry/api/tags/tag'
import {
  isReserved,
  reservedPrefix,
  type Tag,
  type TaggedKind,
  taggedKinds,
  tagsProblem,
} from '@gantry/api/tags/tag.rules'
import { needed } from '../../authz/policy.ts'
import { type Change, change, fleetScope } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import { forbidden, invalid } from '../../context/refusal.ts'
import type { Row } from '../../db/tables.ts'
import { kinds } from '../../lookup/kinds.ts'
import { addressOf, need } from '../../lookup/need.ts'
import { withGeneration } from '../../lookup/views.ts'
import type { Input } from '../../pipeline/implement.ts'
import { type FoundObject, visibleObjects } from './find.ts'
import { listOf, tagsIn } from './stored.ts'
import { tableOf } from '../../lookup/table-of.ts'

/** Every kind has these, and the query builder cannot type a row of any of them. */
type TaggedRow = Row<'project'>

const viewOf = (kind: TaggedKind, { id, tags }: Pick<FoundObject, 'id' | 'tags'>): Tags => ({
  id,
  kind,
  tags: listOf(tagsIn(tags)),
})

const needTagged = async (cx: Cx, kind: TaggedKind, id: string, action: 'read' | 'modify') => {
  const table = tableOf(kind)
  return need(cx, table, { [kinds[table].selector]: id }, action)
}

export async function viewTags(cx: Cx, { path, query: { kind } }: Input<'tagsView'>): Promise<Tags> {
  const { row } = await needTagged(cx, kind, path.object_id, 'read')
  return withGeneration(viewOf(kind, row), row.generation)
}

/** The rows of a list: those that the caller may not see are missing, as those that do not exist. */
export async function listTags(
  cx: Cx,
  { query: { kind, id } }: Input<'tagsList'>,
): Promise<{ items: Tags[] }> {
  const found = await visibleObjects(cx, kind, id)
  return { items: [...found.values()].map((object) => viewOf(kind, object)) }
}

export async function updateTags(
  cx: Cx,
  { path, query: { kind }, body }: Input<'tagsUpdate'>,
): Promise<Tags> {
  const table = tableOf(kind)
  const { row, scope } = await needTagged(cx, kind, path.object_id, 'modify')
  const object = await change(cx, scope, async (tx) => {
    const object = (await tx.lock(table, row)) as TaggedRow
    const own = new Map(body.tags.map(({ key, value }) => [key, value]))
    for (const [key, value] of tagsIn(object.tags)) if (isReserved(key) && !own.has(key)) own.set(key, value)
    return write(tx, kind, object, own)
  })
  return withGeneration(viewOf(kind, object), object.generation)
}

interface Edit {
  id: string
  kind: TaggedKind
  set: readonly Tag[]
  remove: readonly string[]
}

/** All objects get what is asked for, or none does: a half of it would have to be found and finished by hand. */
export async function editTags(cx: Cx, { body }: Input<'tagsEdit'>): Promise<{ items: Tags[] }> {
  const edits = editsOf(body)
  const found = new Map<string, FoundObject>()
  for (const kind of taggedKinds) {
    const ids = edits.filter((edit) => edit.kind === kind).map(({ id }) => id)
    if (ids.length === 0) continue
    const visible = await visibleObjects(cx, kind, ids)
    for (const id of ids) {
      const object = visible.get(id)
      if (!object) {
        const { addressed, word } = kinds[tableOf(kind)]
        throw addressOf(addressed ?? word, id)
      }
      found.set(id, object)
    }
  }
  for (const { location } of found.values())
    if (!cx.can('modify', location)) throw forbidden(needed('modify', location))
  const [first] = edits
  const about = first && found.get(first.id)
  if (first && about) cx.about ??= { kind: first.kind, id: about.id, name: about.name, ...about.scope }
  return change(cx, about?.scope ?? fleetScope, async (tx) => {
    const items: Tags[] = []
    for (const kind of taggedKinds) {
      const ofKind = edits
        .filter((edit) => edit.kind === kind)
        .toSorted((one, other) => (one.id < other.id ? -1 : 1))
      for (const { id, set, remove } of ofKind) {
        tx.at(found.get(id)?.scope ?? fleetScope)
        const object = (await tx.lockById(tableOf(kind), id)) as TaggedRow
        const own = tagsIn(object.tags)
        for (const key of remove) own.delete(key)
        for (const { key, value } of set) own.set(key, value)
        items.push(viewOf(kind, await write(tx, kind, object, own)))
      }
    }
    if (about) tx.at(about.scope)
    return { items }
  })
}

function editsOf({ edits }: TagsEdit): Edit[] {
  const seen = new Set<string>()
  return edits.map(({ id, kind, set, remove }) => {
    if (seen.has(id)) throw invalid(`the object ${id} is named twice`, 'Name each object once.')
    seen.add(id)
    const both = set?.find(({ key }) => remove?.includes(key))
    if (both) throw invalid(`the key "${both.key}" is both set and removed`, 'Set it or remove it.')
    const problem = tagsProblem(set ?? [])
    if (problem) throw invalid(problem)
    return { id, kind, set: set ?? [], remove: remove ?? [] }
  })
}

/** An object that has these tags already is left as it is. */
async function write(
  tx: Change,
  kind: TaggedKind,
  object: TaggedRow,
  own: ReadonlyMap<string, string>,
): Promise<TaggedRow> {
  const table = tableOf(kind)
  const before = tagsIn(object.tags)
  const tags = listOf(own)
  const name = `${kinds[table].noun} ${(object as { name?: string }).name ?? object.id}`
  const reserved = [...before.keys(), ...own.keys()].find(
    (key) => isReserved(key) && before.get(key) !== own.get(key),
  )
  if (reserved !== undefined)
    throw invalid(
      `the tag "${reserved}" belongs to the platform`,
      `Choose a key that does not begin with ${reservedPrefix}`,
    )
  const problem = tagsProblem(tags)
  if (problem)
    throw invalid(`the ${name} cannot get these tags: ${problem}`, 'Remove tags that are not needed first.')
  if (own.size === before.size && tags.every(({ key, value }) => before.get(key) === value)) return object
  const stored = tags.length === 0 ? null : JSON.stringify(Object.fromEntries(own))
  const updated = await tx.update(table, object, { tags: stored })
  tx.note('tag', object.id, undefined, undefined)
  return updated as TaggedRow
}
