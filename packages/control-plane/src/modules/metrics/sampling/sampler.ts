import { newUuid } from '@gantry/control-plane/context/ids'
import type { Reconciler } from '@gantry/control-plane/work/loop'
import type { Services } from '@gantry/control-plane/context/services'
import { latestPast } from '@gantry/control-plane/context/time'
import { roundsOfLease, resolutions, windowOf } from '../store/points.ts'
import { forgetProvisioned, reconstructProvisioned, writeProvisioned } from './provisioned.ts'
import { fleetSamples } from './sources.ts'
import type { SampleWriter } from '../store/sample-store.ts'
import { configuredStore } from '../store/configured-store.ts'

const fineMs = 5000
const coarseMs = 10_000
/** Samples from before the first start, if the fleet is simulated, so that charts show a day at once. */
const pastMs = 24 * 3_600_000

/**
 * Takes and writes samples, outside of requests. Only the lease holder samples, and each round renews the lease. A
 * missed round leaves a gap.
 */
export function sampling(): Reconciler {
  let holder: string | undefined
  let writer: SampleWriter | undefined
  let rounds = 0
  return {
    name: 'samples',
    everyMs: 10_000,
    async run(services) {
      const { sampling: isOn, round_seconds } = services.settings.metrics
      if (!isOn) return undefined
      const roundMs = round_seconds * 1000
      holder ??= newUuid(services.random)
      const now = services.clock()
      const claimed = await claimRound(services, holder, now, roundMs)
      if (claimed) {
        if (claimed.isNew) writer = undefined
        writer ??= configuredStore(services).writer(services.db)
        await sample(services, writer, claimed)
        rounds++
        // Not in the first round, because a start has enough work.
        if (rounds === 2) await samplePast(services, writer, claimed.until)
      }
      return Math.max(250, roundMs - (services.clock().getTime() % roundMs))
    },
  }
}

interface Claim {
  /** Sampling starts after this time and ends at `until` (ms). */
  from: number
  until: number
  /** Whether the previous round, if any, was another process's. */
  isNew: boolean
}

async function claimRound(
  { db }: Services,
  holder: string,
  now: Date,
  roundMs: number,
): Promise<Claim | undefined> {
  const until = windowOf(now.getTime(), roundMs)
  const at = new Date(until)
  const before = await db
    .selectFrom('metric_progress')
    .select(['until', 'holder'])
    .where('name', '=', 'samples')
    .executeTakeFirst()
  if (!before) {
    const first = await db
      .insertInto('metric_progress')
      .values({ name: 'samples', until: at, holder })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    // Goes back to the whole minute at which the simulated past ends, because a gap would look like a peak in charts.
    const from = windowOf(until - 1, resolutions[1].everyMs)
    return first.numInsertedOrUpdatedRows === 1n ? { from, until, isNew: true } : undefined
  }
  const isOwn = before.holder === holder
  // A time in the future was written while the clock was ahead.
  const isAhead = before.until > latestPast(now)
  const isLeft = before.until.getTime() < until - roundsOfLease * roundMs
  if (!isAhead && (before.until >= at || !(isOwn || isLeft))) return undefined
  const renewed = await db
    .updateTable('metric_progress')
    .set({ until: at, holder })
    .where('name', '=', 'samples')
    .where('until', '=', before.until)
    .executeTakeFirst()
  if (renewed.numUpdatedRows !== 1n) return undefined
  const from = isAhead ? until - roundMs : Math.max(before.until.getTime(), until - roundsOfLease * roundMs)
  return { from, until, isNew: !isOwn }
}

/** Multiples of `every` in `(from, until]`. */
function timesIn(from: number, until: number, every: number): number[] {
  const times: number[] = []
  for (let time = windowOf(from, every) + every; time <= until; time += every) times.push(time)
  return times
}

/** Takes and writes one round. */
export async function sample(
  services: Pick<Services, 'db' | 'fleet' | 'ending'>,
  writer: SampleWriter,
  { from, until }: Pick<Claim, 'from' | 'until'>,
): Promise<void> {
  const at = new Date(until)
  const times = { fine: timesIn(from, until, fineMs), coarse: timesIn(from, until, coarseMs) }
  const sources = new Set<string>()
  for await (const batch of fleetSamples(services, times)) {
    if (services.ending.aborted) return
    for (const { source } of batch) sources.add(source)
    await writer.write(batch, at)
  }
  writer.keep(sources)
  await writeProvisioned(services.db, at)
}

/** Done once per installation; repeated after a crash. */
export async function samplePast(
  services: Pick<Services, 'db' | 'fleet' | 'ending'>,
  writer: SampleWriter,
  until: number,
): Promise<void> {
  const { db, fleet, ending } = services
  const isDone = await db
    .selectFrom('metric_progress')
    .select('name')
    .where('name', '=', 'past')
    .executeTakeFirst()
  if (isDone) return
  await reconstructProvisioned(db)
  const minutes = timesIn(until - pastMs, until, resolutions[1].everyMs)
  if (fleet.isSimulated)
    for await (const batch of fleetSamples(services, { fine: minutes, coarse: minutes }))
      for (const source of batch) {
        if (ending.aborted) return
        await writer.writePast([source], new Date(until))
      }
  await db
    .insertInto('metric_progress')
    .values({ name: 'past', until: new Date(until) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Maintains the store. Idempotent, so two processes may do it at once. */
export const metricsUpkeep: Reconciler = {
  name: 'metrics-upkeep',
  everyMs: 60_000,
  async run(services) {
    const { db, clock, settings, ending } = services
    if (!settings.metrics.sampling) return
    const now = clock()
    await configuredStore(services).upkeep({
      db,
      now,
      retention: settings.metrics,
      isEnding: () => ending.aborted,
    })
    await forgetProvisioned(db, new Date(now.getTime() - settings.metrics.hour_days * 86_400_000))
  },
}
