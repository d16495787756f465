import { type RawBuilder, sql } from 'kysely'
import { usingStates } from '@gantry/api/usage/usage.rules'

type Sql = RawBuilder<unknown>

const using = sql.join(usingStates.map((state) => sql.lit(state)))

/** Kinds that a unit's change records are of: those of images are found by their silo, since images move. */
const ofProject = sql`('instance', 'disk', 'snapshot', 'floating-ip')`

/** What projects have now: their place, their tags, and units of a meter. `within` is a condition on alias `t`. */
export const hadNow = (within: Sql): Sql => sql`
  SELECT t.project_id AS place_id, t.tags, m.meter, m.units
  FROM instance t CROSS JOIN LATERAL (VALUES ('vcpu', t.ncpus::numeric), ('memory', t.memory::numeric)) m (meter, units)
  WHERE ${within} AND t.time_deleted IS NULL AND t.run_state IN (${using})
  UNION ALL SELECT t.project_id, t.tags, 'disk', t.size::numeric FROM disk t WHERE ${within} AND t.time_deleted IS NULL
  UNION ALL SELECT t.project_id, t.tags, 'snapshot', t.size::numeric FROM snapshot t
  WHERE ${within} AND t.time_deleted IS NULL
  UNION ALL SELECT t.project_id, t.tags, 'address', 1 FROM external_ip t
  WHERE ${within} AND t.time_deleted IS NULL AND t.kind = 'floating'`

/** The same of the images of a silo. */
export const imagesNow = (silo_id: Sql): Sql => sql`
  SELECT coalesce(t.project_id, t.silo_id) AS place_id, t.tags, 'image' AS meter, t.size::numeric AS units
  FROM image t WHERE t.silo_id = ${silo_id} AND t.time_deleted IS NULL`

/** The conditions on alias `c` for the change records of a unit. */
export const ofProjectUnit = (id: Sql): Sql => sql`(c.project_id = ${id} AND c.kind IN ${ofProject})`
export const ofSiloUnit = (id: Sql): Sql => sql`(c.silo_id = ${id} AND c.kind = 'image')`
/** Those of any unit of alias `u`, each kind by its index. */
export const ofEachUnit = (times: Sql): Sql => sql`CROSS JOIN LATERAL (
  SELECT * FROM change c WHERE NOT u.is_silo AND ${ofProjectUnit(sql`u.id`)} AND ${times}
  UNION ALL SELECT * FROM change c WHERE u.is_silo AND ${ofSiloUnit(sql`u.id`)} AND ${times}) c`

/**
 * What the change records of alias `c` ended, with sign -1, and began, with sign 1: an object with other contents is
 * another one. A record that is about something else than the object's row, such as its way out of the recycle bin, has
 * no id in it.
 */
export const moves: Sql = sql`
  CROSS JOIN LATERAL (VALUES (-1, c.before), (1, c.after)) side (sign, contents)
  CROSS JOIN LATERAL (
    SELECT 'vcpu' AS meter, (side.contents->>'ncpus')::numeric AS units
    WHERE c.kind = 'instance' AND side.contents->>'run_state' IN (${using})
    UNION ALL SELECT 'memory', (side.contents->>'memory')::numeric
    WHERE c.kind = 'instance' AND side.contents->>'run_state' IN (${using})
    UNION ALL SELECT c.kind, (side.contents->>'size')::numeric WHERE c.kind IN ('disk', 'snapshot', 'image')
    UNION ALL SELECT 'address', 1 WHERE c.kind = 'floating-ip'
  ) m`
export const isOfRow: Sql = sql`side.contents->>'id' = c.object_id::text`
export const placeOfMove: Sql = sql`coalesce((side.contents->>'project_id')::uuid, c.silo_id)`
export const tagsOfMove: Sql = sql`side.contents->'tags'`

/** The second of a change record. Everything is counted in whole seconds, which add up without error. */
export const secondOf: Sql = sql`floor(extract(epoch FROM c.time))::int8`
