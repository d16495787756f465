import type { SearchHit } from '@gantry/api/extensions'
import type { FoundKind, SearchMatch } from '@gantry/api/extensions.rules'
import { formatIp } from '@gantry/api/base/ip.rules'
import { addressKey } from '@gantry/api/network/ip-pool.rules'
import { type RawBuilder, sql } from 'kysely'
import { containing, literally } from '../../db/like.ts'
import type { Cx } from '../../context/cx.ts'
import { onceEach } from '../../context/once-each.ts'
import type { Services } from '../../context/services.ts'
import { type KindName, kinds } from '../../lookup/kinds.ts'
import { sees } from '../../lookup/location.ts'
import { FairQueue } from '../../work/fair-queue.ts'
import { readSearch, type SearchText } from './search-text.ts'

type Sql = RawBuilder<unknown>

const defaultLimit = 20
/** How many objects of a kind one way of matching yields, of which the best are answered. */
const candidates = 200
/** Shorter texts are in nearly every name, and begin a part of it instead. */
const partLength = 3

/** However many searches a user sends, others wait for a few of them at most. */
const turnsOf = onceEach(
  (_services: Services) => new FairQueue({ atOnce: 3, atOnceEach: 1, waitingEach: 20, waiting: 200 }),
)

/** Kinds in projects, by their words on the wire. */
const inProjects = {
  project: 'project',
  instance: 'instance',
  disk: 'disk',
  image: 'image',
  vpc: 'vpc',
  'vpc-subnet': 'vpc_subnet',
  snapshot: 'snapshot',
  'floating-ip': 'external_ip',
  'external-subnet': 'external_subnet',
  schedule: 'schedule',
  'instance-template': 'instance_template',
  'instance-snapshot': 'instance_snapshot',
  'service-account': 'service_account',
} as const satisfies Partial<Record<FoundKind, KindName>>

/** Users and groups of the caller's silo, which all of its users see. */
const inSilo = {
  'silo-user': { table: 'silo_user', but: sql`NOT t.is_service_account` },
  'silo-group': { table: 'silo_group', but: sql`true` },
} as const satisfies Partial<Record<FoundKind, { table: KindName; but: Sql }>>

/** Kinds of the fleet, and the column by which people call them. */
const inFleet = {
  silo: { table: 'silo', name: 'name' },
  sled: { table: 'sled', name: 'serial' },
  'physical-disk': { table: 'physical_disk', name: 'serial' },
  'ip-pool': { table: 'ip_pool', name: 'name' },
} as const satisfies Partial<Record<FoundKind, { table: KindName; name: string }>>

interface Found extends SearchHit {
  table: KindName
  project_id: string | null
}

/**
 * Objects of every kind that a text names: by name, id or its beginning, address, MAC address, serial number, tag or
 * description. Each way is answered from an index, or from the users and groups of one silo, and only where the caller
 * may look: in the visible projects of the own silo, and in the fleet for its viewers.
 */
export async function search(
  cx: Cx,
  text: string,
  limit: number | null | undefined,
): Promise<{ items: SearchHit[] }> {
  const { silo_id } = cx.user()
  const wanted = readSearch(text)
  if (wanted.words === '') return { items: [] }
  const parts = [
    ...Object.entries(inProjects).flatMap(([kind, table]) =>
      projectParts(cx, kind as FoundKind, table, wanted),
    ),
    ...siloParts(silo_id, wanted),
    ...(cx.can('read', { class: 'fleet' }) ? fleetParts(wanted) : []),
  ]
  const turn = await turnsOf(cx.services).enterFor(cx)
  try {
    turn.spend(1)
    const { rows } = await sql<Found>`
      SELECT * FROM (SELECT DISTINCT ON (id) * FROM (${sql.join(parts, sql` UNION ALL `)}) found ORDER BY id, rank) best
      ORDER BY rank, length(name), name, id LIMIT ${limit ?? defaultLimit}`.execute(cx.db)
    const visible = rows.filter(
      ({ table, project_id }) => kinds[table].parent === 'fleet' || sees(cx, table, { silo_id, project_id }),
    )
    return {
      items: visible.map(({ kind, id, name, project_name, vpc_name, match, value }) => ({
        kind,
        id,
        name,
        project_name,
        vpc_name,
        match,
        value,
      })),
    }
  } finally {
    turn.leave()
  }
}

/** A way of matching, and its rank: what names one object goes before parts of names. */
interface Way {
  match: SearchMatch
  rank: number
  where: Sql
  /** What of the object matched, as text. */
  value?: Sql
  /** Behind FROM, for what is looked up from other rows than the object's. */
  joins?: Sql
}

function projectParts(cx: Cx, kind: FoundKind, table: KindName, wanted: SearchText): Sql[] {
  const { silo_id, projects } = cx.user()
  const everywhere = sees(cx, 'project', { silo_id, project_id: null })
  const seen = everywhere ? sql`true` : sql`p.id = ANY(${projects}::uuid[])`
  const ofSilo = kinds[table].orProject && sees(cx, table, { silo_id, project_id: null })
  const isSubnet = table === 'vpc_subnet'
  const joined =
    table === 'project' ? sql`t.id = p.id` : isSubnet ? sql`v.project_id = p.id` : sql`t.project_id = p.id`
  const vpc = isSubnet ? sql`JOIN vpc v ON v.id = t.vpc_id AND v.time_deleted IS NULL` : sql``
  const place = sql`p.silo_id = ${silo_id}::uuid AND p.time_deleted IS NULL AND ${seen}`
  const own = table === 'external_ip' ? sql`t.kind = 'floating' AND` : sql``
  return waysOf(kind, silo_id, wanted).map(
    ({ match, rank, where, value = sql`NULL`, joins = sql`` }) => sql`(
      SELECT ${table}::text AS "table", ${kind}::text AS kind, t.id, t.name::text AS name, p.name::text AS project_name,
        p.id AS project_id, ${isSubnet ? sql`v.name::text` : sql`NULL::text`} AS vpc_name, ${match}::text AS match, (${value})::text AS value, ${rank}::int4 AS rank
      FROM ${sql.table(table)} t ${vpc} ${sql.raw(ofSilo ? 'LEFT JOIN' : 'JOIN')} project p ON ${joined} ${joins}
      WHERE ${own} t.time_deleted IS NULL AND ${where}
        AND ${ofSilo ? sql`(t.project_id IS NULL AND t.silo_id = ${silo_id}::uuid OR ${place})` : place}
      LIMIT ${candidates})`,
  )
}

function waysOf(kind: FoundKind, silo_id: string, wanted: SearchText): Way[] {
  const { words, address, mac, id, tag } = wanted
  const ways: Way[] = nameWays(sql`t.name`, words)
  if (words.length >= partLength)
    ways.push({ match: 'description', rank: 5, where: sql`t.description ILIKE ${containing(words)}` })
  if (id) ways.push({ match: 'id', rank: 1, where: isWithin(id), value: sql`t.id` })
  if (address) {
    const { version, first, last } = address
    const isIn = (key: Sql) =>
      sql`${key} BETWEEN ${addressKey({ version, value: first })} AND ${addressKey({ version, value: last })}`
    const ofInterface =
      version === 4
        ? { where: sql`n.ip_int BETWEEN ${Number(first)}::int8 AND ${Number(last)}::int8`, value: sql`n.ip` }
        : { where: isIn(sql`n.ipv6_key`), value: sql`n.ipv6` }
    if (kind === 'floating-ip')
      ways.push({ match: 'address', rank: 1, where: isIn(sql`t.ip_key`), value: sql`t.ip` })
    if (kind === 'vpc-subnet') ways.push(...(version === 4 ? subnetWays(address) : subnetIpv6Ways(address)))
    if (kind === 'external-subnet') ways.push(...externalSubnetWays(address))
    if (kind === 'instance')
      ways.push(
        {
          match: 'address',
          rank: 1,
          joins: sql`JOIN external_ip e ON e.instance_id = t.id AND e.time_deleted IS NULL AND e.kind <> 'snat'`,
          where: isIn(sql`e.ip_key`),
          value: sql`e.ip`,
        },
        {
          match: 'address',
          rank: 1,
          joins: sql`JOIN network_interface n ON n.instance_id = t.id AND n.time_deleted IS NULL`,
          ...ofInterface,
        },
      )
  }
  if (mac && kind === 'instance')
    ways.push({
      match: 'mac',
      rank: 1,
      joins: sql`JOIN network_interface n ON n.instance_id = t.id AND n.time_deleted IS NULL`,
      where: sql`n.mac_int BETWEEN ${mac.from ?? 0}::int8 AND ${mac.to ?? 0}::int8`,
      value: sql`rtrim(regexp_replace(lpad(to_hex(n.mac_int), 12, '0'), '(..)', '\\1:', 'g'), ':')`,
    })
  if (tag)
    ways.push({
      match: 'tag',
      rank: 1,
      joins: sql`JOIN tag g ON g.object_id = t.id`,
      where: sql`g.silo_id = ${silo_id}::uuid AND g.kind = ${kind} AND g.key = ${tag.key}
        AND g.value LIKE ${`${literally(tag.value)}%`}`,
      value: sql`g.key || '=' || g.value`,
    })
  return ways
}

/** By its block, or by what it contains: that is in many subnets, and named after the object that has the address. */
function subnetWays({ first, last }: { first: bigint; last: bigint }): Way[] {
  const block = sql`int8range(t.ipv4_first, t.ipv4_last, '[]')`
  const wanted = sql`int8range(${Number(first)}::int8, ${Number(last)}::int8, '[]')`
  const value = sql`t.ipv4_block`
  return [
    { match: 'address', rank: 1, where: sql`${block} = ${wanted}`, value },
    { match: 'address', rank: 4, where: sql`${block} @> ${wanted}`, value },
  ]
}

function subnetIpv6Ways({ first, last }: { first: bigint; last: bigint }): Way[] {
  const block = sql`t.ipv6_block::inet`
  const [from, to] = [first, last].map((value) => sql`${formatIp({ version: 6, value })}::inet`)
  const contains = sql`${block} >>= ${from} AND ${block} >>= ${to}`
  const isWhole = sql`host(${block}) = host(${from}) AND host(broadcast(${block})) = host(${to})`
  const value = sql`t.ipv6_block`
  return [
    { match: 'address', rank: 1, where: sql`${contains} AND ${isWhole}`, value },
    { match: 'address', rank: 4, where: contains, value },
  ]
}

/** By its block, or by an address in it. Instances have none of these of their own, so that it is what is meant. */
function externalSubnetWays({
  version,
  first,
  last,
}: {
  version: 4 | 6
  first: bigint
  last: bigint
}): Way[] {
  const block = sql`numrange(t.first_int, t.last_int, '[]')`
  const wanted = sql`numrange(${String(first)}::numeric, ${String(last)}::numeric, '[]')`
  // A number says nothing of the version.
  const isOfVersion = sql`(t.subnet LIKE '%:%') = ${version === 6}`
  const value = sql`t.subnet`
  return [{ match: 'address', rank: 1, where: sql`${block} @> ${wanted} AND ${isOfVersion}`, value }]
}

/** Names are in lower case; serial numbers are not, and few. */
function nameWays(column: Sql, words: string): Way[] {
  const text = words.toLowerCase()
  const begins = `${literally(text)}%`
  const inside = text.length < partLength ? `%-${begins}` : containing(text)
  return [
    { match: 'name', rank: 0, where: sql`${column} = ${text}` },
    { match: 'name', rank: 2, where: sql`${column} LIKE ${begins}` },
    { match: 'name', rank: 3, where: sql`${column} LIKE ${inside}` },
  ]
}

/** What people call a user begins anywhere, and may have capitals. */
function siloParts(silo_id: string, { words, id }: SearchText): Sql[] {
  return Object.entries(inSilo).flatMap(([kind, { table, but }]) => {
    const ways: Way[] = [
      { match: 'name', rank: 0, where: sql`t.external_id = ${words}` },
      { match: 'name', rank: 4, where: sql`t.external_id ILIKE ${containing(words)}` },
    ]
    if (id) ways.push({ match: 'id', rank: 1, where: isWithin(id), value: sql`t.id` })
    return ways.map(
      ({ match, rank, where, value = sql`NULL` }) => sql`(
        SELECT ${table}::text AS "table", ${kind}::text AS kind, t.id, t.external_id::text AS name,
          NULL::text AS project_name, NULL::uuid AS project_id, NULL::text AS vpc_name, ${match}::text AS match, (${value})::text AS value,
          ${rank}::int4 AS rank
        FROM ${sql.table(table)} t
        WHERE t.silo_id = ${silo_id}::uuid AND t.time_deleted IS NULL AND ${but} AND ${where} LIMIT ${candidates})`,
    )
  })
}

const isWithin = ({ first, last }: { first: string; last: string }): Sql =>
  sql`t.id BETWEEN ${first}::uuid AND ${last}::uuid`

function fleetParts({ words, id }: SearchText): Sql[] {
  return Object.entries(inFleet).flatMap(([kind, { table, name }]) => {
    const match: SearchMatch = name === 'serial' ? 'serial' : 'name'
    const column = sql.ref(`t.${name}`)
    const ways: Way[] = [{ match, rank: 4, where: sql`${column} ILIKE ${containing(words)}` }]
    if (id) ways.push({ match: 'id', rank: 1, where: isWithin(id), value: sql`t.id` })
    return ways.map(
      (way) => sql`(
        SELECT ${table}::text AS "table", ${kind}::text AS kind, t.id, ${column}::text AS name, NULL::text AS project_name,
          NULL::uuid AS project_id, NULL::text AS vpc_name, ${way.match}::text AS match, (${way.value ?? sql`NULL`})::text AS value,
          ${way.rank}::int4 AS rank
        FROM ${sql.table(table)} t WHERE t.time_deleted IS NULL AND ${way.where} LIMIT ${candidates})`,
    )
  })
}
