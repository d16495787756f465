// @chunk tags: of forms and lists, which both load what is known of tags.
import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import type { DemandableKind } from '@gantry/api/tags/tag-demand.rules'
import { opQuery } from '#/data/queries.ts'

export type TagDemand = OutputOf<'tagDemandView'>

const none: TagDemand = { keys: [], kinds: [], isForAllClients: false }

/** Which tags new objects of the silo need; none on servers that demand none. */
export const tagDemand = opQuery(op.tagDemandView, {}, async () => ({ data: none, etag: undefined }))

/** The keys that a new object of a kind needs. */
export const demandedFor = (demand: TagDemand = none, kind: DemandableKind): readonly string[] =>
  demand.kinds.includes(kind) ? demand.keys : []
