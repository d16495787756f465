import type { UsageLine, UsageReport } from '@gantry/api/usage/usage'
import {
  costOf,
  type Meter,
  meters,
  monthBounds,
  monthOf,
  unitHour,
  usageLimits,
} from '@gantry/api/usage/usage.rules'
import { type RawBuilder, sql } from 'kysely'
import { onceEach } from '../../context/once-each.ts'
import type { Cx } from '../../context/cx.ts'
import { invalid, unavailable } from '../../context/refusal.ts'
import type { Services } from '../../context/services.ts'
import { need, needFleet } from '../../lookup/need.ts'
import { sees } from '../../lookup/location.ts'
import type { Input } from '../../pipeline/implement.ts'
import { FairQueue } from '../../work/fair-queue.ts'
import { dayAfter, dayOf, endOf, lastSettled, startOf } from './days.ts'
import { readPrices } from './prices.ts'
import { isOfRow, moves, ofEachUnit, placeOfMove, secondOf, tagsOfMove } from './uses.ts'

type Sql = RawBuilder<unknown>

/** Which rows of the tables of use an answer is about. */
interface Scope {
  /** The condition on the alias of a table with `silo_id` and `place_id`. */
  places: (alias: string) => Sql
  /** The condition on alias `u` of the units that have these places. */
  units: Sql
  /** Its sums by day are kept: all of a silo, or of all silos. */
  days: { of: 'silo'; and: Sql } | { of: 'place' }
  /** The key of the tag that lines are told apart by. */
  tag?: string | undefined
  by: 'project' | 'silo' | 'tag'
}

export async function viewUsage(cx: Cx, query: Input<'usageView'>['query']): Promise<UsageReport> {
  const { silo_id, projects } = cx.user()
  const tag = query.tag ?? undefined
  const by = tag === undefined ? 'project' : 'tag'
  if (query.project !== null && query.project !== undefined) {
    const { row } = await need(cx, 'project', { project: query.project }, 'list_children')
    const places = (alias: string) => sql`${sql.ref(`${alias}.place_id`)} = ${row.id}::uuid`
    // The images of a project are counted with those of its silo.
    const units = sql`u.id IN (${row.id}::uuid, ${silo_id}::uuid)`
    return report(cx, query.month, { places, units, days: { of: 'place' }, by, tag })
  }
  if (sees(cx, 'project', { silo_id, project_id: null }))
    return report(cx, query.month, { ...ofSilo(silo_id), by, tag })
  const places = (alias: string) => sql`${sql.ref(`${alias}.place_id`)} = ANY (${projects}::uuid[])`
  const units = sql`(u.id = ANY (${projects}::uuid[]) OR u.id = ${silo_id}::uuid)`
  return report(cx, query.month, { places, units, days: { of: 'place' }, by, tag })
}

export async function viewSystemUsage(
  cx: Cx,
  { month, silo }: Input<'systemUsageView'>['query'],
): Promise<UsageReport> {
  needFleet(cx, 'list_children')
  if (silo === null || silo === undefined)
    return report(cx, month, {
      places: () => sql`true`,
      units: sql`true`,
      days: { of: 'silo', and: sql`true` },
      by: 'silo',
    })
  const { row } = await need(cx, 'silo', { silo }, 'read')
  return report(cx, month, { ...ofSilo(row.id), by: 'project' })
}

const ofSilo = (silo_id: string): Pick<Scope, 'places' | 'units' | 'days'> => ({
  places: (alias) => sql`${sql.ref(`${alias}.silo_id`)} = ${silo_id}::uuid`,
  units: sql`u.silo_id = ${silo_id}::uuid`,
  days: { of: 'silo', and: sql`d.silo_id = ${silo_id}::uuid` },
})

const turnsOf = onceEach(
  (_services: Services) => new FairQueue({ atOnce: 2, atOnceEach: 1, waitingEach: 20, waiting: 100 }),
)
/** Change records that one answer adds to what is counted already. */
const recordsMax = 100_000
/** Later than this, what is not counted yet would take too long. */
const lateDays = 2

/** An amount of one line or day. */
interface Part {
  silo_id: string
  place_id: string
  tag: string
  meter: Meter
  amount: string
}

async function report(cx: Cx, asked: string | null | undefined, scope: Scope): Promise<UsageReport> {
  const month = asked ?? monthOf(cx.now())
  const bounds = monthBounds(month)
  const now = Math.floor(cx.now().getTime() / 1000) * 1000
  if (bounds.from > now)
    throw invalid('the month has not begun', `The latest month is ${monthOf(new Date(now))}.`)
  const turn = await turnsOf(cx.services).enterFor(cx)
  try {
    const { units, uncountedFrom, knownFrom } = await stateOf(cx, scope)
    cx.charge(Math.ceil(units / 100))
    turn.spend(1 + units / 1000)
    const isTooMuch = await hasTooManyRecords(cx, scope, uncountedFrom)
    const through = Math.min(bounds.to, isTooMuch ? Math.max(uncountedFrom, bounds.from) : now)
    const [counted, ofDays, prices] = [
      await countedParts(cx, scope, month),
      await countedDays(cx, scope, month),
      await readPrices(cx.db),
    ]
    const lines = new Sums<{ silo_id: string; place_id: string | null; tag: string | null }>()
    const days = new Sums<{ day: string }>()
    const add = (part: Part): void => lines.add(lineKey(scope, part), part)
    counted.forEach(add)
    for (const { day, ...part } of ofDays) days.add([day, { day }], part)
    for (let day = dayOf(Math.max(uncountedFrom, bounds.from)); startOf(day) < through; day = dayAfter(day)) {
      const [from, to] = [startOf(day), Math.min(endOf(day), through)]
      for (const part of await uncountedParts(cx, scope, from, to, '')) {
        days.add([day, { day }], part)
        add(part)
      }
      if (scope.tag !== undefined) (await uncountedParts(cx, scope, from, to, scope.tag)).forEach(add)
    }
    return {
      month,
      from: new Date(bounds.from).toISOString(),
      through: new Date(through).toISOString(),
      known_from: knownFrom > bounds.from ? new Date(knownFrom).toISOString() : null,
      ...prices,
      ...(await linesOf(cx, scope, lines, prices.prices)),
      days: days
        .all()
        .map(({ key: { day }, hours }) => ({ day, hours, cost: costOf(hours, prices.prices) }))
        .sort((one, other) => (one.day < other.day ? -1 : 1)),
    }
  } finally {
    turn.leave()
  }
}

/** What of a part tells its line from others. By tag, all of it is added first, and what is tagged taken off again. */
function lineKey({ by, tag }: Scope, part: Part) {
  const { silo_id, place_id } = part
  if (by === 'silo') return [silo_id, { silo_id, place_id: null, tag: null }] as const
  if (by === 'project') return [place_id, { silo_id, place_id, tag: null }] as const
  const value = part.tag === '' ? null : part.tag.slice((tag ?? '').length)
  return [part.tag, { silo_id, place_id: null, tag: value }] as const
}

class Sums<Key> {
  readonly #rows = new Map<string, { key: Key; amounts: Map<Meter, bigint> }>()

  add([text, key]: readonly [string, Key], { meter, amount }: Pick<Part, 'meter' | 'amount'>): void {
    const row = this.#rows.get(text) ?? { key, amounts: new Map<Meter, bigint>() }
    row.amounts.set(meter, (row.amounts.get(meter) ?? 0n) + BigInt(amount))
    this.#rows.set(text, row)
  }

  /** Takes the amounts of all other rows off this one. */
  takeOthersOff(text: string): void {
    const rest = this.#rows.get(text)
    if (!rest) return
    for (const [other, { amounts }] of this.#rows)
      if (other !== text)
        for (const [meter, amount] of amounts)
          rest.amounts.set(meter, (rest.amounts.get(meter) ?? 0n) - amount)
  }

  all(): { key: Key; hours: Record<Meter, number> }[] {
    return [...this.#rows.values()]
      .filter(({ amounts }) => [...amounts.values()].some((amount) => amount !== 0n))
      .map(({ key, amounts }) => ({ key, hours: hoursOf(amounts) }))
  }
}

const hoursOf = (amounts: ReadonlyMap<Meter, bigint>): Record<Meter, number> =>
  Object.fromEntries(
    meters.map((meter) => [meter, Number(amounts.get(meter) ?? 0n) / unitHour[meter]]),
  ) as Record<Meter, number>

const sumOf = (rows: readonly { hours: Record<Meter, number> }[]): Record<Meter, number> =>
  Object.fromEntries(
    meters.map((meter) => [meter, rows.reduce((sum, { hours }) => sum + hours[meter], 0)]),
  ) as Record<Meter, number>

async function linesOf(
  cx: Cx,
  scope: Scope,
  sums: Sums<{ silo_id: string; place_id: string | null; tag: string | null }>,
  prices: Record<Meter, number>,
): Promise<Pick<UsageReport, 'lines' | 'total'>> {
  if (scope.by === 'tag') sums.takeOthersOff('')
  const all = sums
    .all()
    .map((row) => ({ ...row, cost: costOf(row.hours, prices) }))
    .sort((one, other) => other.cost - one.cost || other.hours.vcpu - one.hours.vcpu)
  const told = all.slice(0, usageLimits.lines)
  const rest = all.slice(usageLimits.lines)
  const names = await namesOf(cx, scope, told)
  const lines: UsageLine[] = told.map(({ key: { silo_id, place_id, tag }, hours, cost }) => ({
    silo: scope.by === 'tag' ? null : { id: silo_id, name: names.get(silo_id) ?? silo_id },
    project:
      place_id === null || place_id === silo_id
        ? null
        : { id: place_id, name: names.get(place_id) ?? place_id },
    // `=value`, or nothing where the values of a key are too many to be told apart.
    tag: tag === null ? null : tag === '' ? '*' : tag.slice(1),
    others: 0,
    hours,
    cost,
  }))
  if (rest.length > 0) {
    const hours = sumOf(rest)
    lines.push({
      silo: null,
      project: null,
      tag: null,
      others: rest.length,
      hours,
      cost: costOf(hours, prices),
    })
  }
  const hours = sumOf(all)
  return { lines, total: { hours, cost: costOf(hours, prices) } }
}

async function namesOf(
  cx: Cx,
  scope: Scope,
  lines: readonly { key: { silo_id: string; place_id: string | null } }[],
): Promise<Map<string, string>> {
  if (scope.by === 'tag') return new Map()
  const ids = [...new Set(lines.flatMap(({ key }) => [key.silo_id, ...(key.place_id ? [key.place_id] : [])]))]
  const { rows } = await sql<{ id: string; name: string }>`
    SELECT u.id, coalesce(p.name, s.name, u.name) AS name FROM usage_unit u
    LEFT JOIN project p ON p.id = u.id LEFT JOIN silo s ON s.id = u.id WHERE u.id = ANY (${ids}::uuid[])
    UNION ALL SELECT p.id, p.name FROM project p WHERE p.id = ANY (${ids}::uuid[])
    AND NOT EXISTS (SELECT FROM usage_unit u WHERE u.id = p.id)`.execute(cx.db)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/**
 * All units of projects and silos that exist, with the last day that is counted. One that is not listed yet was made
 * since the last round.
 */
const unitsOf = (cx: Cx, { units }: Scope): Sql => {
  const today = dayOf(cx.now().getTime())
  return sql`(
    SELECT u.id, u.silo_id, u.is_silo, u.day, u.first_day FROM (
      SELECT p.id, p.silo_id, false AS is_silo, coalesce(c.day, to_char(p.time_created AT TIME ZONE 'UTC' - interval '1 day', 'YYYY-MM-DD')) AS day,
        c.first_day FROM project p LEFT JOIN usage_unit c ON c.id = p.id
      WHERE p.time_deleted IS NULL OR p.time_deleted > ${new Date(startOf(today) - 3 * 86_400_000)}
      UNION ALL SELECT s.id, s.id, true, coalesce(c.day, to_char(s.time_created AT TIME ZONE 'UTC' - interval '1 day', 'YYYY-MM-DD')),
        c.first_day FROM silo s LEFT JOIN usage_unit c ON c.id = s.id WHERE s.time_deleted IS NULL
    ) u WHERE ${units})`
}

async function stateOf(cx: Cx, scope: Scope) {
  const { rows } = await sql<{ units: number; day: string | null; first_day: string | null }>`
    SELECT count(*)::int4 AS units, min(u.day) AS day, min(u.first_day) AS first_day
    FROM ${unitsOf(cx, scope)} u`.execute(cx.db)
  const state = rows[0]
  const settled = lastSettled(cx.now())
  const day = state?.day ?? settled
  if (day < dayAfter(settled, -lateDays))
    throw unavailable('What was used is being counted. Try again in a few minutes.')
  return {
    units: state?.units ?? 0,
    uncountedFrom: endOf(day),
    knownFrom: state?.first_day ? startOf(state.first_day) : endOf(day),
  }
}

async function hasTooManyRecords(cx: Cx, scope: Scope, from: number): Promise<boolean> {
  const { rows } = await sql<{ records: number }>`SELECT count(*)::int4 AS records FROM (
    SELECT 1 FROM ${unitsOf(cx, scope)} u ${ofEachUnit(sql`c.time >= ${new Date(from)}`)}
    LIMIT ${recordsMax + 1}) found`.execute(cx.db)
  return (rows[0]?.records ?? 0) > recordsMax
}

/** What days that are counted add to each line. */
async function countedParts(cx: Cx, { places, tag, by }: Scope, month: string): Promise<Part[]> {
  const keys = tag === undefined ? [''] : ['', tag]
  const place = by === 'project' ? sql`m.place_id` : sql`m.silo_id`
  const { rows } = await sql<Part>`
    SELECT m.silo_id, ${place} AS place_id, m.tag, m.meter, sum(m.amount)::text AS amount FROM usage_month m
    WHERE ${places('m')} AND m.month = ${month} AND m.tag_key = ANY (${keys}::text[])
    GROUP BY 1, 2, 3, 4`.execute(cx.db)
  return rows
}

async function countedDays(
  cx: Cx,
  { places, days }: Scope,
  month: string,
): Promise<{ day: string; meter: Meter; amount: string }[]> {
  const from = days.of === 'silo' ? sql`usage_silo_day d` : sql`usage_day d`
  const { rows } = await sql<{ day: string; meter: Meter; amount: string }>`
    SELECT d.day, d.meter, sum(d.amount)::text AS amount FROM ${from}
    WHERE ${days.of === 'silo' ? days.and : places('d')} AND d.day BETWEEN ${`${month}-01`} AND ${`${month}-31`}
    GROUP BY 1, 2`.execute(cx.db)
  return rows
}

/** What part of a day that is not counted adds: what each unit had at its end, and what changed since. */
async function uncountedParts(cx: Cx, scope: Scope, from: number, to: number, key: string): Promise<Part[]> {
  const [begin, end] = [sql`${from / 1000}::int8`, sql`${to / 1000}::int8`]
  const ofKey = sql`${key}::text`
  const { places, by } = scope
  const place = by === 'project' ? sql`part.place_id` : sql`part.silo_id`
  const { rows } = await sql<Part>`
    WITH unit AS MATERIALIZED (
      SELECT u.id, u.silo_id, u.is_silo, extract(epoch FROM ((u.day::date + 1)::timestamp AT TIME ZONE 'UTC'))::int8 AS since
      FROM ${unitsOf(cx, scope)} u
    ), late AS MATERIALIZED (SELECT * FROM unit WHERE since < ${end})
    SELECT part.silo_id, ${place} AS place_id, part.tag, part.meter, sum(part.amount)::text AS amount FROM (
      SELECT u.silo_id, l.place_id, l.tag, l.meter, l.amount * (${end} - greatest(u.since, ${begin})) AS amount
      FROM late u JOIN usage_level l ON l.unit_id = u.id AND l.tag_key = ${ofKey}
      UNION ALL
      SELECT u.silo_id, ${placeOfMove}, CASE WHEN ${ofKey} = '' THEN ''
          WHEN EXISTS (SELECT FROM usage_level l WHERE l.unit_id = u.id AND l.tag_key = ${ofKey} AND l.tag = ${ofKey}) THEN ${ofKey}
          ELSE ${ofKey} || '=' || (${tagsOfMove}->>${ofKey}) END,
        m.meter, side.sign * m.units * (${end} - greatest(${secondOf}, u.since, ${begin}))
      FROM late u ${ofEachUnit(sql`c.time >= to_timestamp(u.since) AND c.time < to_timestamp(${end})`)} ${moves}
      WHERE ${isOfRow} AND (${ofKey} = '' OR ${tagsOfMove}->>${ofKey} IS NOT NULL)
    ) part WHERE ${places('part')} GROUP BY 1, 2, 3, 4`.execute(cx.db)
  return rows
}
