import { usageLimits } from '@gantry/api/usage/usage.rules'
import { sql } from 'kysely'
import type { Services } from '../../context/services.ts'
import type { Db, Tx } from '../../db/database.ts'
import { daysAgo } from '../../db/retention.ts'
import type { Reconciler } from '../../work/loop.ts'
import { dayAfter, dayOf, endOf, lastSettled, startOf } from './days.ts'
import {
  hadNow,
  imagesNow,
  isOfRow,
  moves,
  ofProjectUnit,
  ofSiloUnit,
  placeOfMove,
  secondOf,
  tagsOfMove,
} from './uses.ts'

const unitsAtOnce = 100
/** A deleted project can come back for as long as recycle bins keep it, and has nothing to count after that. */
const deletedDays = 40

/**
 * Adds up what each project used on each day that has ended, before its change records go. Processes may do this at the
 * same time, and any of them may stop at any moment: a day of a unit is one transaction, which begins with its place in
 * the row of the unit.
 */
export const usageCounting: Reconciler = {
  name: 'usage',
  everyMs: 300_000,
  run: countUsage,
}

export async function countUsage(services: Services): Promise<void> {
  const { db, clock, ending } = services
  const last = lastSettled(clock())
  await addUnits(services)
  while (!ending.aborted) {
    const units = await unitsBehind(db, last, daysAgo(services, deletedDays))
    for (const unit of units) {
      if (ending.aborted) return
      await closeDay(db, unit)
    }
    if (units.length === 0) return
  }
}

interface Unit {
  id: string
  silo_id: string
  name: string
  isSilo: boolean
  /** The last day that is counted. */
  day: string
}

/** Of older changes not all records are there, so that nothing before can be counted. */
async function addUnits(services: Services): Promise<void> {
  const { db, settings } = services
  const earliest = dayAfter(dayOf(daysAgo(services, settings.retention.change_days).getTime()))
  const created = sql`to_char(created.time_created AT TIME ZONE 'UTC', 'YYYY-MM-DD')`
  const first = sql`greatest(${created} COLLATE "C", ${earliest}::text COLLATE "C")`
  const before = sql`to_char(${first}::date - 1, 'YYYY-MM-DD')`
  await sql`INSERT INTO usage_unit (id, silo_id, name, first_day, day)
    SELECT created.id, created.silo_id, created.name, ${first}, ${before} FROM (
      SELECT p.id, p.silo_id, p.name, p.time_created FROM project p WHERE p.time_deleted IS NULL
      UNION ALL SELECT s.id, s.id, s.name, s.time_created FROM silo s WHERE s.time_deleted IS NULL
    ) created WHERE NOT EXISTS (SELECT FROM usage_unit u WHERE u.id = created.id)
    ORDER BY created.id ON CONFLICT (id) DO NOTHING`.execute(db)
}

async function unitsBehind(db: Db, last: string, deletedSince: Date): Promise<Unit[]> {
  const { rows } = await sql<Unit>`
    SELECT u.id, u.silo_id, of.name, of.is_silo AS "isSilo", u.day FROM usage_unit u CROSS JOIN LATERAL (
      SELECT p.name, p.time_deleted, false AS is_silo FROM project p WHERE p.id = u.id
      UNION ALL SELECT s.name, s.time_deleted, true FROM silo s WHERE s.id = u.id
    ) of
    WHERE u.day < ${last} AND (of.time_deleted IS NULL OR of.time_deleted > ${deletedSince})
    ORDER BY u.day, u.id LIMIT ${unitsAtOnce}`.execute(db)
  return rows
}

/** Counts the day after the last one, unless another process has done so meanwhile. */
async function closeDay(db: Db, unit: Unit): Promise<void> {
  const day = dayAfter(unit.day)
  await db.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('usage_unit')
      .set({ day, name: unit.name })
      .where('id', '=', unit.id)
      .where('day', '=', unit.day)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return
    await tx.deleteFrom('usage_level').where('unit_id', '=', unit.id).execute()
    await writeDay(tx, unit, day)
  })
}

/**
 * Goes back from what there is now: each change since the day's begin is taken back. So whatever a level says, the next
 * day begins with what there really was.
 */
async function writeDay(tx: Tx, { id, silo_id, isSilo }: Unit, day: string): Promise<void> {
  const [from, to] = [startOf(day) / 1000, endOf(day) / 1000]
  const unit = sql`${id}::uuid`
  const now = isSilo ? imagesNow(unit) : hadNow(sql`t.project_id = ${unit}`)
  const records = isSilo ? ofSiloUnit(unit) : ofProjectUnit(unit)
  await sql`
    WITH uses AS MATERIALIZED (
      SELECT place_id, tags, meter, units * ${to - from}::int8 AS amount, units AS level FROM (${now}) had
      UNION ALL
      SELECT ${placeOfMove}, ${tagsOfMove}, m.meter, -side.sign * m.units * (least(${secondOf}, ${to}::int8) - ${from}::int8),
        CASE WHEN ${secondOf} >= ${to}::int8 THEN -side.sign * m.units ELSE 0 END
      FROM change c ${moves} WHERE ${records} AND c.time >= to_timestamp(${from}::int8) AND ${isOfRow}
    ), tagged AS (
      SELECT place_id, meter, ''::text COLLATE "C" AS tag_key, ''::text COLLATE "C" AS tag, amount, level FROM uses
      UNION ALL SELECT place_id, meter, k.key, k.key || '=' || k.value, amount, level FROM uses
      CROSS JOIN LATERAL jsonb_each_text(CASE WHEN jsonb_typeof(tags) = 'object' THEN tags ELSE '{}' END) k
    ), counted_keys AS (
      SELECT tag_key, count(DISTINCT tag) AS tags FROM tagged WHERE tag_key <> '' GROUP BY tag_key
    ), keys AS (
      SELECT tag_key, sum(tags) OVER (ORDER BY tags, tag_key) <= ${usageLimits.tags} AS is_apart,
        row_number() OVER (ORDER BY tags, tag_key) <= ${usageLimits.tags} AS is_kept FROM counted_keys
    ), counted AS MATERIALIZED (
      SELECT t.place_id, t.meter, t.tag_key, CASE WHEN t.tag_key = '' OR k.is_apart THEN t.tag ELSE t.tag_key END AS tag,
        sum(t.amount) AS amount, sum(t.level) AS level
      FROM tagged t LEFT JOIN keys k ON k.tag_key = t.tag_key WHERE t.tag_key = '' OR k.is_kept
      GROUP BY 1, 2, 3, 4
    ), of_month AS (
      INSERT INTO usage_month (silo_id, place_id, month, tag_key, tag, meter, amount)
      SELECT ${silo_id}::uuid, place_id, ${day.slice(0, 7)}, tag_key, tag, meter, amount FROM counted WHERE amount <> 0
      ON CONFLICT (place_id, month, tag_key, tag, meter) DO UPDATE SET amount = usage_month.amount + excluded.amount
    ), of_day AS (
      INSERT INTO usage_day (silo_id, place_id, day, meter, amount)
      SELECT ${silo_id}::uuid, place_id, ${day}, meter, amount FROM counted WHERE tag_key = '' AND amount <> 0
      ON CONFLICT (place_id, day, meter) DO UPDATE SET amount = usage_day.amount + excluded.amount
    ), of_silo AS (
      INSERT INTO usage_silo_day (silo_id, day, meter, amount)
      SELECT ${silo_id}::uuid, ${day}, meter, sum(amount) FROM counted WHERE tag_key = '' AND amount <> 0
      GROUP BY meter ORDER BY meter
      ON CONFLICT (day, silo_id, meter) DO UPDATE SET amount = usage_silo_day.amount + excluded.amount
    )
    INSERT INTO usage_level (unit_id, place_id, meter, tag_key, tag, amount)
    SELECT ${unit}, place_id, meter, tag_key, tag, level FROM counted WHERE level <> 0`.execute(tx)
}
