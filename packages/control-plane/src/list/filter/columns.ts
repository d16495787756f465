import type { FieldName, FilteredKind, SumName } from '@gantry/api/filter/list-kinds.rules'
import { isFleetTagged, type TaggedKind } from '@gantry/api/tags/tag.rules'
import type { Test } from '@gantry/api/filter/filter.rules'
import type { AddressRange, Interval, Pattern } from '@gantry/api/filter/filter-values.rules'
import { formatIp } from '@gantry/api/base/ip.rules'
import { canonicalUuid, isUuid, nameProblem } from '@gantry/api/base/name.rules'
import { addressKey, isAddressKey } from '@gantry/api/network/ip-pool.rules'
import { type RawBuilder, sql } from 'kysely'
import { literally } from '../../db/like.ts'
import type { KindName } from '../../lookup/kinds.ts'
import { type Key, textKey } from '../keyset-page.ts'
import { idKey } from '../page.ts'
import { instant, timeKey } from '../time-key.ts'
import type { Place } from './place.ts'

type Sql = RawBuilder<unknown>

/** How a field is compared, and where its values come from. */
export interface Column {
  /** The condition on alias `t`; a null counts as no match. */
  meets: (test: Test, place: Place) => Sql
  /** The condition that it lacks the field. */
  isLacking?: Sql
  /** The order of lists. */
  key?: Key
  /** Its value as text, of the rows of alias `t`, for suggestions; `joins` add what that needs. */
  value?: { of: Sql; joins?: (place: Place) => Sql }
}

interface FilteredTable {
  table: KindName
  /** A further condition on alias `t` of all its objects. */
  and?: Sql
  /** Objects can belong to the silo instead of a project. */
  orSilo?: true
  /** The condition on alias `t` that leaves those in a place, where they have no project of their own. */
  within?: (place: Place) => Sql
  columns: Readonly<Record<string, Column>>
  /** Conditions for addresses among words. */
  addresses?: (range: AddressRange) => Sql
  /** What its totals sum up, on alias `t`. */
  sums: { ncpus?: Sql; memory?: Sql; size?: Sql }
}

const integerKey = (column: string): Key => ({
  column,
  text: (value) => sql<string>`${value}::text`,
  value: (text) => sql`${text}::int8`,
  reads: (text) => /^\d{1,15}$/.test(text),
  isUnique: false,
})

/** Of a whole number that is larger than what JSON carries. */
const decimalKey = (column: string): Key => ({
  ...integerKey(column),
  value: (text) => sql`${text}::numeric`,
  reads: (text) => /^\d{1,39}$/.test(text),
})

const ref = (column: string): Sql => sql.ref(`t.${column}`)
const or = (parts: readonly Sql[]): Sql =>
  parts.length === 0 ? sql`false` : sql`(${sql.join(parts, sql` OR `)})`

/** Names and free text ignore case. Names are in lower case, by which their index serves. */
const likes = (column: Sql, patterns: readonly Pattern[], isLower = false): Sql =>
  or(
    patterns.map((pattern) => {
      const like = pattern.map(literally).join('%')
      if (!isLower) return sql`${column} ILIKE ${like}`
      return pattern.length === 1 ? sql`${column} = ${pattern[0] ?? ''}` : sql`${column} LIKE ${like}`
    }),
  )

const text = (column: string, isLower = false): Column => ({
  meets: (test) => (test.of === 'text' ? likes(ref(column), test.patterns, isLower) : sql`false`),
  value: { of: ref(column) },
})

/** No number of a column is larger, and none that a filter names may be. */
const bounded = (value: number): number => Math.min(value, Number.MAX_SAFE_INTEGER)

function between(column: Sql, { from, to, isAfter, isBefore }: Interval, value: (bound: number) => Sql): Sql {
  const conditions = [
    ...(from === undefined
      ? []
      : [isAfter ? sql`${column} > ${value(from)}` : sql`${column} >= ${value(from)}`]),
    ...(to === undefined ? [] : [isBefore ? sql`${column} < ${value(to)}` : sql`${column} <= ${value(to)}`]),
  ]
  return conditions.length === 0 ? sql`true` : sql`(${sql.join(conditions, sql` AND `)})`
}

const intervals =
  (column: Sql, value: (bound: number) => Sql): Column['meets'] =>
  (test) =>
    test.of === 'interval'
      ? or(test.intervals.map((interval) => between(column, interval, value)))
      : sql`false`

const integer = (bound: number): Sql => sql`${bounded(bound)}::int8`
const number = (column: string): Column => ({
  meets: intervals(ref(column), integer),
  key: integerKey(column),
  value: { of: ref(column) },
})
const time = (column: string): Column => ({ meets: intervals(ref(column), instant), key: timeKey(column) })
const choice = (column: string): Column => ({
  meets: (test) => (test.of === 'choice' ? sql`${ref(column)} IN (${sql.join(test.values)})` : sql`false`),
  key: textKey(column, (value) => /^[a-z\d_]{1,40}$/.test(value)),
  value: { of: ref(column) },
})
const id: Column = {
  meets: (test) => (test.of === 'id' ? or(test.ranges.map((range) => idWithin(range))) : sql`false`),
}
export const idWithin = ({ first, last }: { first: string; last: string }): Sql =>
  sql`t.id BETWEEN ${first}::uuid AND ${last}::uuid`

const isProtected: Column = {
  meets: (test) =>
    test.of === 'flag' ? sql`t.protection IS ${test.isSet ? sql`NOT NULL` : sql`NULL`}` : sql`false`,
}
const isReadOnly: Column = {
  meets: (test) => (test.of === 'flag' ? sql`t.read_only = ${test.isSet}` : sql`false`),
}

/** Another object by name or id: `of` leads from the ids that match to a condition on alias `t`. */
const relation = (
  column: (place: Place) => { name: Sql; id: Sql; of: (match: Sql) => Sql },
  more: Pick<Column, 'isLacking' | 'value'> = {},
): Column => ({
  meets: (test, place) => {
    if (test.of !== 'text' || test.patterns.length === 0) return sql`false`
    const { name, id: ids, of } = column(place)
    const exact = test.patterns.flatMap(([only = '', ...others]) =>
      others.length === 0 && isUuid(only) ? [sql`${ids} = ${canonicalUuid(only)}::uuid`] : [],
    )
    return of(or([...exact, likes(name, test.patterns, true)]))
  },
  ...more,
})

/** A relation by a column with the id, to objects of the same project. */
const sibling = (column: string, table: KindName): Column => ({
  ...relation(({ within }) => ({
    name: sql`o.name`,
    id: sql`o.id`,
    of: (match) =>
      sql`${ref(column)} IN (SELECT o.id FROM ${sql.table(table)} o WHERE o.time_deleted IS NULL AND ${within('o')} AND ${match})`,
  })),
  isLacking: sql`${ref(column)} IS NULL`,
  value: {
    of: sql`o.name`,
    joins: () => sql`JOIN ${sql.table(table)} o ON o.id = ${ref(column)} AND o.time_deleted IS NULL`,
  },
})

const project: Column = relation(
  ({ projects }) => ({
    name: sql`p.name`,
    id: sql`p.id`,
    of: (match) => sql`t.project_id IN (SELECT p.id FROM project p WHERE ${projects} AND ${match})`,
  }),
  {
    isLacking: sql`t.project_id IS NULL`,
    value: {
      of: sql`p.name`,
      joins: ({ projects }) => sql`JOIN project p ON p.id = t.project_id AND ${projects}`,
    },
  },
)

/** By a sort key. */
const keyWithin = (column: Sql, { version, first, last }: AddressRange): Sql =>
  sql`${column} BETWEEN ${addressKey({ version, value: first })} AND ${addressKey({ version, value: last })}`

/** Blocks that share an address with the range. */
const blockWithin = ({ version, first, last }: AddressRange): Sql =>
  sql`(t.subnet ${version === 4 ? sql`NOT LIKE` : sql`LIKE`} '%:%' AND numrange(t.first_int, t.last_int, '[]')
    && numrange(${String(first)}::numeric, ${String(last)}::numeric, '[]'))`

const interfaceWithin = (range: AddressRange): Sql => {
  const { version, first, last } = range
  return version === 4
    ? sql`n.ip_int BETWEEN ${Number(first)}::int8 AND ${Number(last)}::int8`
    : keyWithin(sql`n.ipv6_key`, range)
}

/** A few addresses are looked up first: the planner cannot know how few, and would go through the list in its order. */
const fewAddresses = 256n

export const isNarrow = ({ first, last }: AddressRange): boolean => last - first < fewAddresses

export const isExact = (intervals: readonly Interval[]): boolean =>
  intervals.every(({ from, to }) => from !== undefined && from === to)

const holding = (holders: Sql, areFew: boolean): Sql =>
  areFew ? sql`t.id = ANY(ARRAY(${holders}))` : sql`t.id IN (${holders})`

/** Addresses that an instance shares with others for its outgoing connections are none of its own. */
const external = (range: AddressRange): Sql =>
  holding(
    sql`SELECT e.instance_id FROM external_ip e WHERE e.time_deleted IS NULL AND e.instance_id IS NOT NULL
      AND e.kind <> 'snat' AND ${keyWithin(sql`e.ip_key`, range)}`,
    isNarrow(range),
  )
const internal = (range: AddressRange): Sql =>
  holding(
    sql`SELECT n.instance_id FROM network_interface n WHERE n.time_deleted IS NULL AND n.instance_id IS NOT NULL
      AND ${interfaceWithin(range)}`,
    isNarrow(range),
  )
const address = (conditions: readonly ((range: AddressRange) => Sql)[], isLacking: Sql): Column => ({
  meets: (test) =>
    test.of === 'address'
      ? or(test.ranges.flatMap((range) => conditions.map((condition) => condition(range))))
      : sql`false`,
  isLacking,
})
const noExternal = sql`NOT EXISTS (SELECT FROM external_ip e WHERE e.instance_id = t.id
  AND e.kind <> 'snat' AND e.time_deleted IS NULL)`
const noInternal = sql`NOT t.has_interfaces`

/** Images of the silo are visible to fewer than its projects are, and one can have gone to another project. */
const image = (disk: Sql): Pick<Column, 'meets' | 'value'> => ({
  ...relation(({ images }) => ({
    name: sql`im.name`,
    id: sql`im.id`,
    of: (
      match,
    ) => sql`${disk} IN (SELECT d.id FROM image im JOIN disk d ON d.image_id = im.id AND d.time_deleted IS NULL
      WHERE im.time_deleted IS NULL AND ${images} AND ${match})`,
  })),
  value: {
    of: sql`im.name`,
    joins: ({ images }) => sql`JOIN disk d ON d.id = ${disk} AND d.time_deleted IS NULL
      JOIN image im ON im.id = d.image_id AND im.time_deleted IS NULL AND ${images}`,
  },
})

/** Of images, those of the silo have no project: theirs are looked up one by one. */
const tag = (kind: TaggedKind): Column => ({
  meets: (test, place) => {
    if (test.of !== 'tag') return sql`false`
    const each = test.tags.map(({ key, value }) => {
      const ofValue =
        value === undefined
          ? sql`true`
          : 'exactly' in value
            ? sql`g.value = ${value.exactly}`
            : sql`g.value ILIKE ${value.like.map(literally).join('%')}`
      return sql`g.key = ${key} AND ${ofValue}`
    })
    if (isFleetTagged(kind))
      return sql`t.id IN (SELECT g.object_id FROM tag g WHERE g.kind = ${kind} AND ${or(each)})`
    return kind === 'image'
      ? sql`EXISTS (SELECT FROM tag g WHERE g.object_id = t.id AND ${or(each)})`
      : sql`t.id IN (SELECT g.object_id FROM tag g WHERE ${place.within('g')} AND g.kind = ${kind} AND ${or(each)})`
  },
  isLacking: sql`NOT EXISTS (SELECT FROM tag g WHERE g.object_id = t.id)`,
  value: {
    of: sql`CASE WHEN g.value = '' THEN g.key ELSE g.key || '=' || g.value END`,
    joins: () => sql`JOIN tag g ON g.object_id = t.id`,
  },
})

const described = {
  name: { ...text('name', true), key: textKey('name', (value) => !nameProblem(value)) },
  id,
  description: text('description'),
  created: time('time_created'),
}
const identity = (kind: TaggedKind) => ({ ...described, tag: tag(kind) })

/** Where the machine of an instance is. */
const sled: Column = relation(
  () => ({
    name: sql`lower(s.serial)`,
    id: sql`s.id`,
    of: (match) => sql`t.id IN (SELECT m.instance_id FROM sled s JOIN vmm m ON m.sled_id = s.id
            WHERE m.time_gone IS NULL AND ${match})`,
  }),
  {
    isLacking: sql`NOT EXISTS (SELECT FROM vmm m WHERE m.instance_id = t.id AND m.time_gone IS NULL)`,
    value: {
      of: sql`s.serial`,
      joins: () =>
        sql`JOIN vmm m ON m.instance_id = t.id AND m.time_gone IS NULL JOIN sled s ON s.id = m.sled_id`,
    },
  },
)

/** Of the fleet's instances, whose operators may see all silos. */
const silo: Column = relation(
  () => ({
    name: sql`s.name`,
    id: sql`s.id`,
    of: (match) =>
      sql`t.project_id IN (SELECT p.id FROM project p JOIN silo s ON s.id = p.silo_id WHERE s.time_deleted IS NULL AND ${match})`,
  }),
  {
    value: {
      of: sql`s.name`,
      joins: () => sql`JOIN project p ON p.id = t.project_id JOIN silo s ON s.id = p.silo_id`,
    },
  },
)

/** Users know the names of all of them. */
const backupTarget: Column = relation(
  () => ({
    name: sql`b.name`,
    id: sql`b.id`,
    of: (match) =>
      sql`t.backup_target_id IN (SELECT b.id FROM backup_target b WHERE b.time_deleted IS NULL AND ${match})`,
  }),
  {
    value: { of: sql`b.name`, joins: () => sql`JOIN backup_target b ON b.id = t.backup_target_id` },
  },
)

/** What a VPC holds is in the VPC's project. */
const inVpc = ({ vpc_id, within }: Place): Sql =>
  vpc_id === undefined
    ? sql`t.vpc_id IN (SELECT v.id FROM vpc v WHERE v.time_deleted IS NULL AND ${within('v')})`
    : sql`t.vpc_id = ${vpc_id}::uuid`

const ofVpc = {
  vpc: relation(
    ({ within }) => ({
      name: sql`v.name`,
      id: sql`v.id`,
      of: (match) =>
        sql`t.vpc_id IN (SELECT v.id FROM vpc v WHERE v.time_deleted IS NULL AND ${within('v')} AND ${match})`,
    }),
    {
      value: { of: sql`v.name`, joins: () => sql`JOIN vpc v ON v.id = t.vpc_id AND v.time_deleted IS NULL` },
    },
  ),
  project: relation(
    ({ projects }) => ({
      name: sql`p.name`,
      id: sql`p.id`,
      of: (match) => sql`t.vpc_id IN (SELECT v.id FROM vpc v JOIN project p ON p.id = v.project_id
        WHERE v.time_deleted IS NULL AND ${projects} AND ${match})`,
    }),
    {
      value: {
        of: sql`p.name`,
        joins: ({ projects }) =>
          sql`JOIN vpc v ON v.id = t.vpc_id JOIN project p ON p.id = v.project_id AND ${projects}`,
      },
    },
  ),
}

/** How many others belong to a row, none of which a list shows. */
const counted = (from: Sql): Column => ({
  meets: intervals(sql`(SELECT count(*) FROM ${from})`, integer),
})

/** An address as the database compares it: those of IPv4 before those of IPv6. */
const inet = (version: 4 | 6, value: bigint): Sql => sql`${formatIp({ version, value })}::inet`

/** Subnets with a block that shares an address with the range. */
const subnetWithin = ({ version, first, last }: AddressRange): Sql =>
  version === 4
    ? sql`int8range(t.ipv4_first, t.ipv4_last, '[]') && int8range(${Number(first)}::int8, ${Number(last)}::int8, '[]')`
    : sql`(set_masklen(t.ipv6_block::inet, 128) <= ${inet(6, last)}
        AND set_masklen(broadcast(t.ipv6_block::inet), 128) >= ${inet(6, first)})`

const attachedAddress = sql`internet_gateway_ip_address a WHERE a.internet_gateway_id = t.id AND a.time_deleted IS NULL`
/** Users know the names of the pools that are linked to their silo. */
const attachedPool = sql`internet_gateway_ip_pool a JOIN ip_pool o ON o.id = a.ip_pool_id AND o.time_deleted IS NULL
  WHERE a.internet_gateway_id = t.id AND a.time_deleted IS NULL AND EXISTS (SELECT FROM ip_pool_silo l
    JOIN project p ON p.silo_id = l.silo_id JOIN vpc v ON v.project_id = p.id
    WHERE l.ip_pool_id = o.id AND v.id = t.vpc_id)`

/** Of what is in no project. */
const everywhere = (): Sql => sql`true`

const ofSilo = ({ silo_id }: Place): Sql => sql`t.silo_id = ${silo_id}::uuid`

/** The pools that a silo is linked to, or the silos of a pool. */
const linked = (link: KindOfLink, from: 'silo' | 'pool', to: 'silo' | 'ip_pool'): Column => {
  const [own, others] = from === 'silo' ? ['silo_id', poolIdOf[link]] : [poolIdOf[link], 'silo_id']
  const linkedTo = sql`${sql.table(link)} l JOIN ${sql.table(to)} o ON o.id = ${sql.ref(`l.${others}`)}
    AND o.time_deleted IS NULL WHERE ${sql.ref(`l.${own}`)} = t.id`
  return {
    ...relation(() => ({
      name: sql`o.name`,
      id: sql`o.id`,
      of: (match) => sql`EXISTS (SELECT FROM ${linkedTo} AND ${match})`,
    })),
    isLacking: sql`NOT EXISTS (SELECT FROM ${linkedTo})`,
    value: { of: sql`o.name`, joins: () => sql`JOIN LATERAL (SELECT o.name FROM ${linkedTo}) o ON true` },
  }
}
const poolIdOf = { ip_pool_silo: 'ip_pool_id', subnet_pool_silo: 'subnet_pool_id' } as const
type KindOfLink = keyof typeof poolIdOf

/** Pools with a range or a member that shares an address with one. */
const poolWithin = (from: Sql): Column => ({
  meets: (test) =>
    test.of === 'address'
      ? or(test.ranges.map((range) => sql`EXISTS (SELECT FROM ${from} AND ${keysMeet(range)})`))
      : sql`false`,
  isLacking: sql`NOT EXISTS (SELECT FROM ${from})`,
})
const keysMeet = ({ version, first, last }: AddressRange): Sql =>
  sql`r.first_key <= ${addressKey({ version, value: last })} AND r.last_key >= ${addressKey({ version, value: first })}`
const rangesOf = sql`ip_pool_range r WHERE r.ip_pool_id = t.id`
const membersOf = sql`subnet_pool_member r WHERE r.subnet_pool_id = t.id`

const lastRun = sql`(SELECT run.state FROM schedule_run run WHERE run.schedule_id = t.id ORDER BY run.due DESC LIMIT 1)`
const oneOf = (value: Sql): Pick<Column, 'meets' | 'value'> => ({
  meets: (test) =>
    test.of === 'choice' && test.values.length > 0 ? sql`${value} IN (${sql.join(test.values)})` : sql`false`,
  value: { of: value },
})

/** What new instances of a template get, where it says so. */
const ofTemplate = (size: 'ncpus' | 'memory'): Column => {
  const kept = sql`(t.settings -> 'hardware' ->> ${sql.lit(size)})::int8`
  return { meets: intervals(kept, integer), isLacking: sql`${kept} IS NULL`, value: { of: kept } }
}
const templateImage = sql`(t.settings -> 'boot_source' ->> 'image_id')::uuid`

/** Each field has its column, and what totals add up has its source. */
type Described<Kind extends FilteredKind> = FilteredTable & {
  columns: Readonly<Record<FieldName<Kind>, Column>>
  sums: Readonly<Record<SumName<Kind>, Sql>>
}

const filteredTables: Readonly<{ [Kind in FilteredKind]: Described<Kind> }> = {
  instance: {
    table: 'instance',
    columns: {
      ...identity('instance'),
      state: choice('run_state'),
      changed: time('time_run_state_updated'),
      cpu: number('ncpus'),
      memory: number('memory'),
      hostname: text('hostname'),
      ip: address([external, internal], sql`(${noExternal} AND ${noInternal})`),
      external: address([external], noExternal),
      internal: address([internal], noInternal),
      mac: {
        meets: (test, place) => {
          const isFew = test.of === 'interval' && isExact(test.intervals)
          return holding(
            sql`SELECT n.instance_id FROM network_interface n WHERE n.time_deleted IS NULL
              AND n.instance_id IS NOT NULL AND ${intervals(sql`n.mac_int`, integer)(test, place)}`,
            isFew,
          )
        },
      },
      image: {
        ...image(ref('boot_disk_id')),
        isLacking: sql`NOT EXISTS (SELECT FROM disk d WHERE d.id = t.boot_disk_id AND d.image_id IS NOT NULL)`,
      },
      vpc: {
        ...relation(({ within }) => ({
          name: sql`v.name`,
          id: sql`v.id`,
          of: (
            match,
          ) => sql`t.id IN (SELECT n.instance_id FROM vpc v JOIN network_interface n ON n.vpc_id = v.id
            WHERE v.time_deleted IS NULL AND ${within('v')} AND n.time_deleted IS NULL AND n.instance_id IS NOT NULL AND ${match})`,
        })),
        isLacking: noInternal,
        value: {
          of: sql`v.name`,
          joins: () => sql`JOIN network_interface n ON n.instance_id = t.id AND n.time_deleted IS NULL
            JOIN vpc v ON v.id = n.vpc_id AND v.time_deleted IS NULL`,
        },
      },
      disk: relation(
        ({ within }) => ({
          name: sql`d.name`,
          id: sql`d.id`,
          of: (match) => sql`t.id IN (SELECT d.instance_id FROM disk d
            WHERE d.time_deleted IS NULL AND ${within('d')} AND d.instance_id IS NOT NULL AND ${match})`,
        }),
        {
          // A boot disk is attached, so most instances need no look-up.
          isLacking: sql`(t.boot_disk_id IS NULL
            AND NOT EXISTS (SELECT FROM disk d WHERE d.instance_id = t.id AND d.time_deleted IS NULL))`,
        },
      ),
      sled,
      project,
      protected: isProtected,
    },
    addresses: (range) => or([external(range), internal(range)]),
    sums: { ncpus: ref('ncpus'), memory: ref('memory') },
  },
  'fleet-instance': {
    table: 'instance',
    columns: {
      name: { ...text('name', true), key: textKey('name', (value) => !nameProblem(value)) },
      id,
      created: time('time_created'),
      state: choice('run_state'),
      changed: time('time_run_state_updated'),
      cpu: number('ncpus'),
      memory: number('memory'),
      silo,
      project,
      sled,
    },
    sums: { ncpus: ref('ncpus'), memory: ref('memory') },
  },
  disk: {
    table: 'disk',
    columns: {
      ...identity('disk'),
      state: choice('state'),
      size: number('size'),
      instance: sibling('instance_id', 'instance'),
      image: { ...image(ref('id')), isLacking: sql`t.image_id IS NULL` },
      snapshot: sibling('snapshot_id', 'snapshot'),
      project,
      protected: isProtected,
      readonly: isReadOnly,
      type: choice('disk_type'),
    },
    sums: { size: ref('size') },
  },
  snapshot: {
    table: 'snapshot',
    columns: {
      ...identity('snapshot'),
      state: choice('state'),
      size: number('size'),
      disk: {
        ...sibling('disk_id', 'disk'),
        isLacking: sql`NOT EXISTS (SELECT FROM disk o WHERE o.id = t.disk_id AND o.time_deleted IS NULL)`,
      },
      partof: sibling('instance_snapshot_id', 'instance_snapshot'),
      project,
    },
    sums: { size: ref('size') },
  },
  'instance-snapshot': {
    table: 'instance_snapshot',
    columns: {
      ...identity('instance-snapshot'),
      state: choice('state'),
      size: number('size'),
      instance: {
        ...sibling('instance_id', 'instance'),
        isLacking: sql`NOT EXISTS (SELECT FROM instance o WHERE o.id = t.instance_id AND o.time_deleted IS NULL)`,
      },
      project,
    },
    sums: { size: ref('size') },
  },
  'instance-backup': {
    table: 'instance_backup',
    columns: {
      ...identity('instance-backup'),
      state: choice('state'),
      size: number('size'),
      stored: { meets: intervals(ref('stored'), integer), isLacking: sql`t.stored IS NULL` },
      verified: { meets: intervals(ref('time_verified'), instant), isLacking: sql`t.time_verified IS NULL` },
      instance: {
        ...text('instance_name', true),
        key: { ...textKey('instance_name', (value) => !nameProblem(value)), isUnique: false },
      },
      target: backupTarget,
      project,
    },
    sums: { size: ref('size') },
  },
  image: {
    table: 'image',
    orSilo: true,
    columns: {
      ...identity('image'),
      os: { ...text('os'), key: textKey('os', () => true) },
      version: { ...text('version'), key: textKey('version', () => true) },
      size: number('size'),
      snapshot: {
        // An image shares the bytes of the snapshot that it was made from.
        ...relation(({ within }) => ({
          name: sql`o.name`,
          id: sql`o.id`,
          of: (match) => sql`t.content_id IN (SELECT o.content_id FROM snapshot o
            WHERE o.time_deleted IS NULL AND ${within('o')} AND ${match})`,
        })),
        isLacking: sql`NOT EXISTS (SELECT FROM snapshot o WHERE o.content_id = t.content_id AND o.time_deleted IS NULL)`,
      },
      project,
      protected: isProtected,
    },
    sums: { size: ref('size') },
  },
  'floating-ip': {
    table: 'external_ip',
    and: sql`t.kind = 'floating'`,
    columns: {
      ...identity('floating-ip'),
      ip: {
        meets: (test) =>
          test.of === 'address'
            ? or(test.ranges.map((range) => keyWithin(sql`t.ip_key`, range)))
            : sql`false`,
        key: textKey('ip_key', isAddressKey),
      },
      instance: sibling('instance_id', 'instance'),
      project,
      protected: isProtected,
    },
    addresses: (range) => keyWithin(sql`t.ip_key`, range),
    sums: {},
  },
  'external-subnet': {
    table: 'external_subnet',
    columns: {
      ...identity('external-subnet'),
      subnet: {
        meets: (test) => (test.of === 'address' ? or(test.ranges.map(blockWithin)) : sql`false`),
        key: decimalKey('first_int'),
      },
      instance: sibling('instance_id', 'instance'),
      project,
      protected: isProtected,
    },
    addresses: blockWithin,
    sums: {},
  },
  vpc: {
    table: 'vpc',
    columns: {
      ...identity('vpc'),
      dns: { ...text('dns_name'), key: textKey('dns_name', () => true) },
      instance: relation(
        ({ within }) => ({
          name: sql`i.name`,
          id: sql`i.id`,
          of: (
            match,
          ) => sql`t.id IN (SELECT n.vpc_id FROM instance i JOIN network_interface n ON n.instance_id = i.id
            WHERE i.time_deleted IS NULL AND ${within('i')} AND n.time_deleted IS NULL AND ${match})`,
        }),
        {
          isLacking: sql`NOT EXISTS (SELECT FROM network_interface n
            WHERE n.vpc_id = t.id AND n.instance_id IS NOT NULL AND n.time_deleted IS NULL)`,
        },
      ),
      project,
      protected: isProtected,
    },
    sums: {},
  },
  'vpc-subnet': {
    table: 'vpc_subnet',
    within: inVpc,
    columns: {
      ...identity('vpc-subnet'),
      block: {
        meets: (test) => (test.of === 'address' ? or(test.ranges.map(subnetWithin)) : sql`false`),
        key: integerKey('ipv4_first'),
      },
      router: {
        ...relation(({ within }) => ({
          name: sql`o.name`,
          id: sql`o.id`,
          of: (
            match,
          ) => sql`t.custom_router_id IN (SELECT o.id FROM vpc_router o JOIN vpc v ON v.id = o.vpc_id
            WHERE o.time_deleted IS NULL AND ${within('v')} AND ${match})`,
        })),
        isLacking: sql`t.custom_router_id IS NULL`,
        value: {
          of: sql`o.name`,
          joins: () => sql`JOIN vpc_router o ON o.id = t.custom_router_id AND o.time_deleted IS NULL`,
        },
      },
      interfaces: counted(
        sql`network_interface n WHERE n.subnet_id = t.id AND n.time_deleted IS NULL AND n.probe_id IS NULL`,
      ),
      ...ofVpc,
    },
    addresses: subnetWithin,
    sums: {},
  },
  'vpc-router': {
    table: 'vpc_router',
    within: inVpc,
    columns: {
      ...identity('vpc-router'),
      kind: choice('kind'),
      routes: counted(sql`router_route r WHERE r.vpc_router_id = t.id AND r.time_deleted IS NULL`),
      subnet: {
        ...relation(({ within }) => ({
          name: sql`o.name`,
          id: sql`o.id`,
          of: (
            match,
          ) => sql`t.id IN (SELECT o.custom_router_id FROM vpc_subnet o JOIN vpc v ON v.id = o.vpc_id
            WHERE o.time_deleted IS NULL AND o.custom_router_id IS NOT NULL AND ${within('v')} AND ${match})`,
        })),
        isLacking: sql`NOT EXISTS (SELECT FROM vpc_subnet o
          WHERE o.vpc_id = t.vpc_id AND o.custom_router_id = t.id AND o.time_deleted IS NULL)`,
        value: {
          of: sql`o.name`,
          joins: () =>
            sql`JOIN vpc_subnet o ON o.vpc_id = t.vpc_id AND o.custom_router_id = t.id AND o.time_deleted IS NULL`,
        },
      },
      ...ofVpc,
    },
    sums: {},
  },
  'internet-gateway': {
    table: 'internet_gateway',
    within: inVpc,
    columns: {
      ...identity('internet-gateway'),
      pool: relation(
        () => ({
          name: sql`o.name`,
          id: sql`o.id`,
          of: (match) => sql`EXISTS (SELECT FROM ${attachedPool} AND ${match})`,
        }),
        {
          isLacking: sql`NOT EXISTS (SELECT FROM internet_gateway_ip_pool a
            WHERE a.internet_gateway_id = t.id AND a.time_deleted IS NULL)`,
          value: {
            of: sql`o.name`,
            joins: () => sql`JOIN LATERAL (SELECT o.name FROM ${attachedPool}) o ON true`,
          },
        },
      ),
      address: {
        meets: (test) =>
          test.of === 'address'
            ? or(
                test.ranges.map(
                  ({ version, first, last }) => sql`EXISTS (SELECT FROM ${attachedAddress}
                    AND a.address::inet BETWEEN ${inet(version, first)} AND ${inet(version, last)})`,
                ),
              )
            : sql`false`,
        isLacking: sql`NOT EXISTS (SELECT FROM ${attachedAddress})`,
      },
      ...ofVpc,
    },
    addresses: ({ version, first, last }) => sql`EXISTS (SELECT FROM ${attachedAddress}
      AND a.address::inet BETWEEN ${inet(version, first)} AND ${inet(version, last)})`,
    sums: {},
  },
  schedule: {
    table: 'schedule',
    columns: {
      ...described,
      id: { ...id, key: idKey },
      action: choice('action'),
      enabled: {
        meets: (test) => (test.of === 'flag' ? sql`t.is_enabled = ${test.isSet}` : sql`false`),
      },
      lastrun: { ...oneOf(lastRun), isLacking: sql`${lastRun} IS NULL` },
      timezone: { ...text('timezone'), key: textKey('timezone', () => true) },
      target: {
        ...relation(() => ({
          name: sql`b.name`,
          id: sql`b.id`,
          of: (match) => sql`(t.target ->> 'backup_target')::uuid IN (SELECT b.id FROM backup_target b
            WHERE b.time_deleted IS NULL AND ${match})`,
        })),
        isLacking: sql`t.target ->> 'backup_target' IS NULL`,
        value: {
          of: sql`b.name`,
          joins: () =>
            sql`JOIN backup_target b ON b.id = (t.target ->> 'backup_target')::uuid AND b.time_deleted IS NULL`,
        },
      },
      project,
    },
    sums: {},
  },
  'instance-template': {
    table: 'instance_template',
    orSilo: true,
    columns: {
      ...described,
      id: { ...id, key: idKey },
      cpu: ofTemplate('ncpus'),
      memory: ofTemplate('memory'),
      image: {
        ...relation(({ images }) => ({
          name: sql`im.name`,
          id: sql`im.id`,
          of: (match) => sql`${templateImage} IN (SELECT im.id FROM image im
            WHERE im.time_deleted IS NULL AND ${images} AND ${match})`,
        })),
        isLacking: sql`${templateImage} IS NULL`,
        value: {
          of: sql`im.name`,
          joins: ({ images }) =>
            sql`JOIN image im ON im.id = ${templateImage} AND im.time_deleted IS NULL AND ${images}`,
        },
      },
      fixed: {
        meets: (test) =>
          test.of === 'choice'
            ? sql`EXISTS (SELECT FROM jsonb_array_elements_text(t.fixed) f(field)
                WHERE f.field = ANY(${[...test.values]}::text[]))`
            : sql`false`,
        isLacking: sql`t.fixed = '[]'::jsonb`,
        value: {
          of: sql`f.field`,
          joins: () => sql`CROSS JOIN LATERAL jsonb_array_elements_text(t.fixed) f(field)`,
        },
      },
      userdata: {
        meets: (test) =>
          test.of === 'flag' ? sql`t.user_data IS ${test.isSet ? sql`NOT NULL` : sql`NULL`}` : sql`false`,
      },
    },
    sums: {},
  },
  project: {
    table: 'project',
    within: ofSilo,
    columns: {
      ...identity('project'),
      id: { ...id, key: idKey },
      instances: counted(sql`instance i WHERE i.project_id = t.id AND i.time_deleted IS NULL`),
      failed: counted(
        sql`instance i WHERE i.project_id = t.id AND i.run_state = 'failed' AND i.time_deleted IS NULL`,
      ),
      protected: isProtected,
    },
    sums: {},
  },
  silo: {
    table: 'silo',
    within: everywhere,
    columns: {
      ...identity('silo'),
      id: { ...id, key: idKey },
      discoverable: {
        meets: (test) => (test.of === 'flag' ? sql`t.discoverable = ${test.isSet}` : sql`false`),
      },
      identity: choice('identity_mode'),
      users: counted(
        sql`silo_user u WHERE u.silo_id = t.id AND NOT u.is_service_account AND u.time_deleted IS NULL`,
      ),
      projects: counted(sql`project p WHERE p.silo_id = t.id AND p.time_deleted IS NULL`),
      pool: linked('ip_pool_silo', 'silo', 'ip_pool'),
    },
    sums: {},
  },
  'ip-pool': {
    table: 'ip_pool',
    within: everywhere,
    columns: {
      ...identity('ip-pool'),
      id: { ...id, key: idKey },
      range: poolWithin(rangesOf),
      version: choice('ip_version'),
      type: choice('pool_type'),
      services: { meets: (test) => (test.of === 'flag' ? sql`t.is_service = ${test.isSet}` : sql`false`) },
      silo: linked('ip_pool_silo', 'pool', 'silo'),
    },
    addresses: (range) => sql`EXISTS (SELECT FROM ${rangesOf} AND ${keysMeet(range)})`,
    sums: {},
  },
  'subnet-pool': {
    table: 'subnet_pool',
    within: everywhere,
    columns: {
      ...described,
      id: { ...id, key: idKey },
      subnet: poolWithin(membersOf),
      version: choice('ip_version'),
      silo: linked('subnet_pool_silo', 'pool', 'silo'),
    },
    addresses: (range) => sql`EXISTS (SELECT FROM ${membersOf} AND ${keysMeet(range)})`,
    sums: {},
  },
}

export const tableOf = (kind: FilteredKind): FilteredTable => filteredTables[kind]
