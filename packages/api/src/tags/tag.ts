import { z } from 'zod'
import { family, get, post, put } from '../op.ts'
import { list, maybe, named, NameOrId, text, Uuid } from '../schema.ts'
import { demandableKinds, tagDemandLimits } from './tag-demand.rules.ts'
import {
  isReserved,
  taggedKinds,
  tagKeyProblem,
  tagLimits,
  tagsProblem,
  tagValueProblem,
  type Tag as TagPair,
} from './tag.rules.ts'

const TaggedKind = named('TaggedKind', z.enum(taggedKinds))

const refusedBy =
  <Value>(problemOf: (value: Value) => string | undefined) =>
  (value: Value, context: z.RefinementCtx): void => {
    const message = problemOf(value)
    if (message) context.addIssue({ code: 'custom', message })
  }

const keyTooLong = `the key of a tag may contain at most ${tagLimits.key} characters`
export const TagKey = text(tagLimits.key, keyTooLong).superRefine(refusedBy(tagKeyProblem))
/** Texts that read the same are the same. */
const Value = text(tagLimits.value, `the value of a tag may contain at most ${tagLimits.value} characters`)
  .superRefine(refusedBy(tagValueProblem))
  .overwrite((value) => value.normalize('NFC'))

export const Tag = named('Tag', z.object({ key: TagKey, value: Value }))

/** Tags that users may set, or what is wrong with them. */
export function ownTagsOf(given: readonly TagPair[]): TagPair[] | string {
  const problem = tagsProblem(given)
  if (problem) return problem
  const parsed = z.array(Tag).safeParse(given)
  if (!parsed.success) return parsed.error.issues[0]?.message ?? 'the tags cannot be read'
  const reserved = parsed.data.find(({ key }) => isReserved(key))
  return reserved ? `the tag "${reserved.key}" belongs to the platform` : parsed.data
}

const Tags = named(
  'Tags',
  z.object({
    /** Of the object. */
    id: Uuid,
    kind: TaggedKind,
    /** In the order of their keys. */
    tags: z.array(Tag),
  }),
)
export type Tags = z.infer<typeof Tags>

const TagsUpdate = named(
  'TagsUpdate',
  z.object({
    /** All of the object's tags from now on, but for those of the platform. */
    tags: list(Tag, tagLimits.tags).superRefine(refusedBy(tagsProblem)),
  }),
)

const TagsEdit = named(
  'TagsEdit',
  z.object({
    edits: list(
      z.object({
        kind: TaggedKind,
        id: Uuid,
        /** Tags that the object gets, or whose values change. */
        set: maybe(list(Tag, tagLimits.tags)),
        /** Keys of tags that the object loses, if it has them. */
        remove: maybe(list(TagKey, tagLimits.tags)),
      }),
      tagLimits.edits,
    ).min(1, 'at least one object is needed'),
  }),
)
export type TagsEdit = z.infer<typeof TagsEdit>

const ofObjects = named('TagsOfObjects', z.object({ items: z.array(Tags) }))

const TagCount = named(
  'TagCount',
  z.object({
    /** A key, or a value of one key. */
    text: z.string(),
    /** How many objects have it, up to a thousand. */
    count: z.number().int(),
  }),
)
export type TagCount = z.infer<typeof TagCount>
const TagCounts = named(
  'TagCounts',
  z.object({
    items: z.array(TagCount),
    /** More begin so, or not all projects were examined: a longer beginning or a project finds the rest. */
    has_more: z.boolean(),
  }),
)
export type TagCounts = z.infer<typeof TagCounts>

const DemandableKind = named('DemandableKind', z.enum(demandableKinds))

const TagDemand = named(
  'TagDemand',
  z.object({
    /** New objects need a tag with each of these keys, and a value. */
    keys: list(
      TagKey.superRefine(
        refusedBy((key) => (isReserved(key) ? `the tag "${key}" belongs to the platform` : undefined)),
      ),
      tagDemandLimits.keys,
    ),
    /** What needs them. */
    kinds: list(DemandableKind, demandableKinds.length),
    /** Whether requests without the header of tags are refused, too: those of programs that know no tags. */
    is_for_all_clients: z.boolean(),
  }),
)
export type TagDemand = z.infer<typeof TagDemand>

const object = {
  path: z.object({ object_id: Uuid }),
  query: z.object({ kind: TaggedKind }),
}
const counted = {
  project: maybe(NameOrId),
  /** Of this kind only; sleds, IP pools and silos are counted only so. */
  kind: maybe(TaggedKind),
  /** How the texts begin. */
  prefix: maybe(text(tagLimits.value)),
}

export const tagOps = {
  ...family('extensions', ['tag', ...taggedKinds], {
    tagsView: get('/ext/v1/tags/{object_id}', {
      summary: 'Fetch the tags of an object',
      ...object,
      returns: Tags,
      reads: ['tag', 'project'],
      revalidates: true,
    }),
    tagsUpdate: put('/ext/v1/tags/{object_id}', {
      summary: 'Set all tags of an object',
      ...object,
      body: TagsUpdate,
      returns: Tags,
    }),
    tagsEdit: post('/ext/v1/tags', {
      summary: 'Add and remove tags of many objects, all of them or none',
      body: TagsEdit,
      bodyMax: 1024 * 1024,
      returns: ofObjects,
      status: 200,
    }),
    tagsList: get('/ext/v1/tags', {
      summary: 'List the tags of several objects of a kind that you may see, such as the rows of a list',
      query: z.object({ kind: TaggedKind, id: list(Uuid, tagLimits.ids) }),
      returns: ofObjects,
      reads: ['tag', 'project'],
    }),
    tagKeyList: get('/ext/v1/tag-keys', {
      summary: "Count the keys of tags in a project or in the caller's silo",
      query: z.object(counted),
      returns: TagCounts,
      reads: ['tag', 'project'],
    }),
    tagValueList: get('/ext/v1/tag-values', {
      summary: "Count the values of a key in a project or in the caller's silo",
      query: z.object({ ...counted, key: TagKey }),
      returns: TagCounts,
      reads: ['tag', 'project'],
    }),
  }),
  ...family('extensions', ['silo-tag-demand'], {
    tagDemandView: get('/ext/v1/tag-demand', {
      summary: 'Fetch which tags new objects of the silo need',
      returns: TagDemand,
    }),
    tagDemandUpdate: put('/ext/v1/tag-demand', {
      summary: 'Update which tags new objects of the silo need',
      body: TagDemand,
      returns: TagDemand,
    }),
  }),
}
