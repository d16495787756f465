import { forgetOldSessions } from './authz/session.ts'
import { forgetOldAudit } from './change/audit.ts'
import { allowListRefresh } from './pipeline/allow-list-loop.ts'
import { changeFeedLoop, rollCallLoop } from './stream/change-feed-loop.ts'
import { clockWatch } from './work/clock.ts'
import { forgetDeletedRows } from './work/deleted-rows.ts'
import type { Services } from './context/services.ts'
import { forgetOldJobs, jobLoop } from './work/jobs.ts'
import { type Loop, type Reconciler, startLoop } from './work/loop.ts'
import { beginNumbering, forgetOldChanges, publishChanges } from './stream/publisher.ts'
import { forgetRateLimited, rateLimitedWriter } from './pipeline/rate-limited-records.ts'
import { forgetEndedMachines } from './modules/compute/machines/reserve.ts'
import { jobs, repairs, reconcilers } from './modules/registry.ts'
import { changeFeed } from './stream/change-feed.ts'
import { positions } from './stream/positions.ts'

/** Work without a request: jobs, reconcilers and the publisher of changes. */
export class Background {
  readonly #loops = new Map<string, Loop>()

  start(services: Services): void {
    const own = [this.#publisher, jobLoop(jobs), clockWatch(repairs), rateLimitedWriter(services), retention]
    for (const reconciler of [...own, ...reconcilers()]) this.#run(services, reconciler)
    services.fleet.machines.watch(() => this.wake('fleet'), services.ending)
    this.startStreams(services)
  }

  /** Starts only what change streams need, for a stream-only process. */
  startStreams(services: Services, feed = changeFeed(services)): void {
    this.#run(services, changeFeedLoop(feed))
    this.#run(services, rollCallLoop(feed))
    this.#run(services, allowListRefresh)
  }

  #run(services: Services, reconciler: Reconciler): void {
    this.#loops.set(reconciler.name, startLoop(services, reconciler))
  }

  wake(name: string): void {
    this.#loops.get(name)?.wake()
  }

  readonly #publisher: Reconciler = {
    name: 'publisher',
    everyMs: 200,
    run: async (services) => {
      await positions(services).load()
      services.published ??= await beginNumbering(services.db)
      const numbered = await publishChanges(services)
      if (!numbered) return undefined
      services.published = numbered.last
      this.wake('change-feed')
      this.wake('networks')
      return numbered.hasMore ? 0 : undefined
    },
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#loops.values()].map((loop) => loop.stop()))
  }
}

export const retention: Reconciler = {
  name: 'retention',
  everyMs: 3_600_000,
  async run(services) {
    await forgetOldJobs(services)
    await forgetOldSessions(services)
    await forgetEndedMachines(services)
    await forgetDeletedRows(services)
    await forgetOldChanges(services)
    await forgetOldAudit(services)
    await forgetRateLimited(services)
  },
}
