// @chunk tags: read once a list or page is shown.
import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { mostRead } from '@gantry/api/tags/tag-counts.rules'
import type { TaggedKind } from '@gantry/api/tags/tag.rules'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#/data/client.ts'
import { isAbsent } from '#/data/extensions.ts'
import type { Failure } from '#/data/failure.ts'
import { metaOf, opQuery, readAgain } from '#/data/queries.ts'

export type Tags = OutputOf<'tagsList'>['items'][number]
export type Tag = Tags['tags'][number]

interface Waiting {
  id: string
  resolve: (tags: Tag[]) => void
  reject: (error: unknown) => void
}

/** Objects whose tags are to be read with the next request, by kind. */
const waiting = new Map<TaggedKind, Waiting[]>()

/** The rows of a list do not appear in one step. */
const gatherMs = 20

/** The rows of a list ask for their tags one by one, and are answered by one request. */
function readTogether(kind: TaggedKind, id: string): Promise<Tag[]> {
  return new Promise((resolve, reject) => {
    const others = waiting.get(kind)
    if (others) return void others.push({ id, resolve, reject })
    waiting.set(kind, [{ id, resolve, reject }])
    setTimeout(() => {
      const all = waiting.get(kind) ?? []
      waiting.delete(kind)
      for (let at = 0; at < all.length; at += mostRead) void read(kind, all.slice(at, at + mostRead))
    }, gatherMs)
  })
}

async function read(kind: TaggedKind, objects: readonly Waiting[]): Promise<void> {
  try {
    const ids = [...new Set(objects.map(({ id }) => id))]
    const { data } = await call(op.tagsList, { query: { kind, id: ids } }, {})
    const byId = new Map(data.items.map(({ id, tags }) => [id, tags]))
    for (const { id, resolve } of objects) resolve(byId.get(id) ?? [])
  } catch (error) {
    for (const { resolve, reject } of objects)
      if (isAbsent(op.tagsList)) resolve([])
      else reject(error)
  }
}

/** The tags of a row of a list. */
export const rowTags = (kind: TaggedKind, id: string) =>
  queryOptions<Tag[], Failure>({
    queryKey: [op.tagsList.name, { row: { kind, id } }],
    meta: metaOf(op.tagsList),
    queryFn: () => readTogether(kind, id),
    ...readAgain,
  })

/** The tags of one object, as its form sees them. */
export const tagsView = (kind: TaggedKind, objectId: string) =>
  opQuery(op.tagsView, { path: { objectId }, query: { kind } })

/** The tags of several objects of a kind. */
export const tagsOfAll = (kind: TaggedKind, ids: readonly string[]) =>
  opQuery(op.tagsList, { query: { kind, id: [...ids] } })

/** The keys that the tags of a kind have, in a project or elsewhere. */
export const keysIn = (kind: TaggedKind, project: string | undefined) => ({
  ...opQuery(op.tagKeyList, { query: { kind, ...(project !== undefined && { project }) } }),
  // The stream tells of every change, and each new row would ask again.
  staleTime: Infinity,
  ...readAgain,
})
