import type { TaggedKind } from '@gantry/api/tags/tag.rules'
import type { Reader } from '@gantry/control-plane/db/database'
import type {
  FieldTest,
  Fields,
  ReadRequest,
  StoredTimeseries,
  TimeseriesSource,
} from '@gantry/control-plane/oxql/model'
import { OxqlError } from '@gantry/control-plane/oxql/oxql-error'
import { tagPrefix } from '@gantry/control-plane/oxql/patterns'
import { rangeFor } from '@gantry/control-plane/oxql/select'

/** Whose tags a query may read: those of the objects of a project, or of the fleet. */
export type TagPlace = { project: string } | 'fleet'

/** The object that the samples of a target are of, whose tags are theirs. */
interface TaggedBy {
  kind: TaggedKind
  field: string
}

const inProject: Readonly<Record<string, TaggedBy>> = {
  virtual_machine: { kind: 'instance', field: 'instance_id' },
  virtual_disk: { kind: 'disk', field: 'disk_id' },
  instance_network_interface: { kind: 'instance', field: 'instance_id' },
}

/** An operator does not see what is in a silo, and so no tags of it. */
const ofFleet: Readonly<Record<string, TaggedBy>> = {
  virtual_machine: { kind: 'sled', field: 'sled_id' },
  sled_data_link: { kind: 'sled', field: 'sled_id' },
  collection_target: { kind: 'silo', field: 'id' },
}

/** Tags that one reading takes; more objects than this have no chart that anyone could read. */
const maxTags = 100_000

const isOfTag = ({ field }: FieldTest): boolean => field.startsWith(tagPrefix)

/** The source, whose timeseries have the tags of these keys as fields, as they are now; an object without has ''. */
export function taggedSource(
  source: TimeseriesSource,
  db: Reader,
  { keys, place }: { keys: readonly string[]; place: TagPlace },
): TimeseriesSource {
  if (keys.length === 0) return source
  const byOf = (name: string): TaggedBy | undefined =>
    (place === 'fleet' ? ofFleet : inProject)[name.split(':')[0] ?? '']

  async function tagsOf({ kind }: TaggedBy): Promise<Map<string, string>> {
    const all = db.selectFrom('tag').select(['object_id', 'key', 'value']).where('kind', '=', kind)
    const rows = await (place === 'fleet' ? all : all.where('project_id', '=', place.project))
      .where('key', 'in', keys)
      .limit(maxTags + 1)
      .execute()
    if (rows.length > maxTags)
      throw new OxqlError(`More than ${maxTags} objects have these tags`, undefined, 'Query without tags.')
    return new Map(rows.map(({ object_id, key, value }) => [`${object_id} ${key}`, value]))
  }

  async function* read(request: ReadRequest, by: TaggedBy): AsyncGenerator<StoredTimeseries> {
    const values = await tagsOf(by)
    const isByTag = request.any.some(({ tests }) => tests.some(isOfTag))
    const { limit, ...rest } = request
    const any = request.any.map((one) => ({ ...one, tests: one.tests.filter((test) => !isOfTag(test)) }))
    // Which samples the limit counts depends on the tags, so the evaluation applies it.
    for await (const one of source.read({ ...rest, any, ...(limit && !isByTag && { limit }) })) {
      const id = String(one.fields[by.field]?.value)
      const tags: Fields = Object.fromEntries(
        keys.map((key) => [
          `${tagPrefix}${key}`,
          { type: 'string', value: values.get(`${id} ${key}`) ?? '' },
        ]),
      )
      const fields = { ...one.fields, ...tags }
      if (!isByTag || rangeFor(request, fields)) yield { ...one, fields }
    }
  }

  return {
    schema: async (name) => {
      const known = await source.schema(name)
      if (!known || !byOf(name)) return known
      const added = keys.map((key) => ({ name: `${tagPrefix}${key}`, field_type: 'string' as const }))
      return { ...known, field_schema: [...known.field_schema, ...added] }
    },
    read: (request) => {
      const by = byOf(request.name)
      return by ? read(request, by) : source.read(request)
    },
  }
}
