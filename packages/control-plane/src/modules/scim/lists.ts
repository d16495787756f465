import { type RawBuilder, sql } from 'kysely'
import type { Cx } from '../../context/cx.ts'
import { canonicalUuid, isUuid } from '@gantry/api/base/name.rules'
import { fold, invalidValue, urn } from './attributes.ts'
import { type Filter, readFilter } from './filter.ts'
import { clientOf } from './scim-change.ts'
import type { Resource } from './resources.ts'

const pageDefault = 100
export const pageMax = 200
/** Members, or groups, that the resources of a page list together, unless the first one alone has more. */
const partsMax = 20_000

/** A kind of resource as lists need it. */
interface Listed<Row> {
  table: 'silo_user' | 'silo_group'
  /** The name that users and groups are filtered by. */
  name: 'userName' | 'displayName'
  /** The attribute that lists parts of other rows. */
  parts: string
  /** How many parts each resource has, in the order of the ids. */
  count: (ids: readonly string[]) => Promise<ReadonlyMap<string, number>>
  view: (rows: readonly Row[], hasParts: boolean) => Promise<Resource[]>
}

/** A page of resources by their ids, with the number of all that match (RFC 7644, 3.4.2). */
export async function listResources<Row extends { id: string }>(
  cx: Cx,
  search: URLSearchParams,
  { table, name, parts, count, view }: Listed<Row>,
) {
  const { silo_id } = clientOf(cx)
  const text = search.get('filter')
  const filter =
    text === null
      ? undefined
      : readFilter(text, { [fold(name)]: name, externalid: 'externalId', id: 'id' } as const)
  const where = sql`t.silo_id = ${silo_id} AND t.time_deleted IS NULL AND t.folded_name IS NOT NULL
    AND ${filter ? isSelected(filter) : sql`true`}`
  const startIndex = Math.max(1, numberOf(search, 'startIndex') ?? 1)
  const size = Math.min(pageMax, Math.max(0, numberOf(search, 'count') ?? pageDefault))
  const show = shownAttributes(search)
  const total = await sql<{ n: number }>`SELECT count(*)::int AS n FROM ${sql.table(table)} t
    WHERE ${where}`.execute(cx.db)
  const { rows: found } =
    size === 0
      ? { rows: [] }
      : await sql<Row>`SELECT t.* FROM ${sql.table(table)} t WHERE ${where}
          ORDER BY t.id LIMIT ${size} OFFSET ${startIndex - 1}`.execute(cx.db)
  const rows = show.has(parts) ? await withinParts(found, count) : found
  const resources = await view(rows, show.has(parts))
  return {
    schemas: [urn.list],
    totalResults: total.rows[0]?.n ?? 0,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources.map((one) => show.of(one)),
  }
}

/** As many of the rows, from the first one, as list few enough parts together. */
async function withinParts<Row extends { id: string }>(
  rows: readonly Row[],
  count: Listed<Row>['count'],
): Promise<readonly Row[]> {
  const counts = await count(rows.map(({ id }) => id))
  let sum = 0
  const end = rows.findIndex(({ id }, at) => (sum += counts.get(id) ?? 0) > partsMax && at > 0)
  return end === -1 ? rows : rows.slice(0, end)
}

function isSelected({ attribute, value }: Filter<string>): RawBuilder<unknown> {
  if (attribute === 'id') return isUuid(value) ? sql`t.id = ${canonicalUuid(value)}::uuid` : sql`false`
  return attribute === 'externalId' ? sql`t.scim_external_id = ${value}` : sql`t.folded_name = ${fold(value)}`
}

function numberOf(search: URLSearchParams, name: string): number | undefined {
  const text = search.get(name)
  if (text === null || text === '') return undefined
  if (!/^-?\d{1,9}$/.test(text)) throw invalidValue(`The parameter ${name} must be an integer.`)
  return Number(text)
}

interface Shown {
  has: (attribute: string) => boolean
  of: (resource: Resource) => object
}

const attributesMax = 2048

/** The attributes that a request wants in its answer (RFC 7644, 3.9); `schemas` and `id` are always there. */
export function shownAttributes(search: URLSearchParams): Shown {
  const [wanted, unwanted] = ['attributes', 'excludedAttributes'].map((name) => {
    const text = search.get(name) ?? ''
    if (text.length > attributesMax) throw invalidValue(`The parameter ${name} is too long.`)
    const names = text.split(',').flatMap((one) => firstPart(one) ?? [])
    return names.length > 0 ? new Set(names) : undefined
  })
  const has = (attribute: string): boolean => {
    const name = fold(attribute)
    if (name === 'schemas' || name === 'id') return true
    return wanted ? wanted.has(name) : !unwanted?.has(name)
  }
  const of = (resource: Resource): object =>
    wanted || unwanted
      ? Object.fromEntries(Object.entries(resource).filter(([attribute]) => has(attribute)))
      : resource
  return { has, of }
}

/** The attribute of a name with or without a URN and a part of it: an attribute is shown whole. */
const firstPart = (given: string): string | undefined =>
  /(?:^|:)([\w$-]+)(?:\.[\w$-]+)?$/.exec(fold(given.trim()))?.[1]

export function grouped<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
): ReadonlyMap<string, readonly Row[]> {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const group = groups.get(keyOf(row))
    if (group) group.push(row)
    else groups.set(keyOf(row), [row])
  }
  return groups
}
