import type { ListDetail } from '@gantry/api/base/list-details'
import { countedUses } from '@gantry/api/base/list-details.rules'
import type { OfProjectKind } from '@gantry/api/filter/list-kinds.rules'
import { type RawBuilder, sql } from 'kysely'
import type { Cx } from '../../context/cx.ts'
import { tableOf } from '../../list/filter/columns.ts'
import { type Place, placeOf } from '../../list/filter/place.ts'
import { inPlace } from '../../list/filter/search-bounds.ts'
import type { Input } from '../../pipeline/implement.ts'

type Sql = RawBuilder<unknown>
type Extra = Partial<Record<Exclude<keyof ListDetail, 'id' | 'project'>, Sql>>
type Row = Partial<ListDetail> & Pick<ListDetail, 'id' | 'project'> & { '~volume'?: string }

/** One object with its name, as JSON; null where there is none. */
const named = (alias: string, from: Sql, name: Sql = sql`${sql.ref(`${alias}.name`)}`): Sql =>
  sql`(SELECT json_build_object('id', ${sql.ref(`${alias}.id`)}, 'name', ${name}) FROM ${from} LIMIT 1)`
const all = (of: Sql, from: Sql): Sql => sql`coalesce((SELECT json_agg(${of}) FROM ${from}), '[]'::json)`

const attachedTo = named('i', sql`instance i WHERE i.id = t.instance_id AND i.time_deleted IS NULL`)
const isProtected = sql`t.protection IS NOT NULL`
const takenBy = named(
  'sc',
  sql`schedule_made m JOIN schedule sc ON sc.id = m.schedule_id AND sc.time_deleted IS NULL WHERE m.snapshot_id = t.id`,
)
const image = (place: Place, disk: Sql): Sql =>
  named(
    'im',
    sql`disk d JOIN image im ON im.id = d.image_id WHERE d.id = ${disk} AND d.time_deleted IS NULL
      AND im.time_deleted IS NULL AND ${place.images}`,
  )

const extras: Readonly<Record<OfProjectKind, (place: Place) => Extra>> = {
  instance: (place) => ({
    is_protected: isProtected,
    image: image(place, sql`t.boot_disk_id`),
    external_ips: all(
      sql`e.ip ORDER BY e.ip_key`,
      // Addresses that it shares with others for its outgoing connections are none of its own.
      sql`external_ip e WHERE e.instance_id = t.id AND e.time_deleted IS NULL AND e.kind <> 'snat'`,
    ),
    internal_ips: all(
      sql`own.ip ORDER BY n.is_primary DESC, n.slot, own.at`,
      sql`network_interface n CROSS JOIN LATERAL unnest(ARRAY[n.ip, n.ipv6]) WITH ORDINALITY own(ip, at)
        WHERE n.instance_id = t.id AND n.time_deleted IS NULL AND own.ip IS NOT NULL`,
    ),
    vpcs: all(
      sql`json_build_object('id', v.id, 'name', v.name) ORDER BY v.name`,
      sql`vpc v WHERE v.time_deleted IS NULL AND v.id IN (SELECT n.vpc_id FROM network_interface n
        WHERE n.instance_id = t.id AND n.time_deleted IS NULL)`,
    ),
    // The account has each; the instance itself keeps only what the platform did.
    time_last_restarted: sql`greatest(t.time_last_auto_restarted, (SELECT max(c.time) FROM change c
      WHERE c.object_id = t.id AND c.action IN ('rebooted', 'restarted')))`,
    ...(place.isFleetViewer && {
      sled: named(
        's',
        sql`vmm m JOIN sled s ON s.id = m.sled_id WHERE m.instance_id = t.id AND m.time_gone IS NULL`,
        sql`s.serial`,
      ),
    }),
  }),
  disk: (place) => ({
    is_protected: isProtected,
    instance: attachedTo,
    image: image(place, sql`t.id`),
    snapshots: sql`(SELECT count(*)::int4 FROM snapshot s WHERE s.disk_id = t.id AND s.time_deleted IS NULL)`,
  }),
  snapshot: () => ({
    disk: named('d', sql`disk d WHERE d.id = t.disk_id AND d.time_deleted IS NULL`),
    schedule: takenBy,
    instance_snapshot: named(
      'w',
      sql`instance_snapshot w WHERE w.id = t.instance_snapshot_id AND w.time_deleted IS NULL`,
    ),
  }),
  'instance-snapshot': () => ({ instance: attachedTo, schedule: takenBy }),
  'instance-backup': () => ({ instance: attachedTo, schedule: takenBy }),
  image: (place) => ({
    is_protected: isProtected,
    used_by: sql`(SELECT count(*)::int4 FROM (SELECT FROM disk d WHERE d.image_id = t.id
      AND d.time_deleted IS NULL AND ${place.within('d')} LIMIT ${countedUses + 1}) counted)`,
  }),
  'floating-ip': () => ({ is_protected: isProtected, instance: attachedTo }),
  'external-subnet': () => ({ is_protected: isProtected, instance: attachedTo }),
  vpc: () => ({ is_protected: isProtected }),
  schedule: () => ({}),
  'instance-template': () => ({}),
}

const without: Omit<ListDetail, 'id' | 'project'> = {
  is_protected: false,
  instance: null,
  image: null,
  disk: null,
  schedule: null,
  instance_snapshot: null,
  snapshots: null,
  size_used: null,
  used_by: null,
  external_ips: [],
  internal_ips: [],
  vpcs: [],
  time_last_restarted: null,
  sled: null,
}

/** What belongs to the rows of a page, of those that the caller may see, by one query. */
export async function listDetails(
  cx: Cx,
  { query: { kind, id } }: Input<'listDetails'>,
): Promise<{ items: ListDetail[] }> {
  const place = await placeOf(cx, {})
  const columns = Object.entries(extras[kind](place)).map(([name, of]) => sql`${of} AS ${sql.ref(name)}`)
  const { rows } = await sql<Row>`
    SELECT ${sql.join([
      sql`t.id`,
      ...(kind === 'disk' ? [sql`t.content_id AS "~volume"`] : []),
      sql`${named('p', sql`project p WHERE p.id = t.project_id`)} AS project`,
      ...columns,
    ])}
    FROM ${sql.table(tableOf(kind).table)} t
    WHERE t.id = ANY (${[...id]}::uuid[]) AND ${inPlace(kind, place)}`.execute(cx.db)
  return { items: await Promise.all(rows.map((row) => detailOf(cx, row))) }
}

/** The rest of a row, from the driver of its volume. Where that fails, the list still shows what the database knows. */
async function detailOf(cx: Cx, { '~volume': volume, ...row }: Row): Promise<ListDetail> {
  const { fleet, log } = cx.services
  const used =
    volume === undefined
      ? undefined
      : await fleet.volumes.occupied(volume).catch((error: unknown) => {
          log.warn({ err: error, volume }, 'the size of a volume could not be read')
          return undefined
        })
  return { ...without, ...row, ...(used !== undefined && { size_used: used }) }
}
