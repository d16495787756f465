import { forgetOldSessions } from './authz/session.ts'
import { forgetOldAudit } from './kernel/audit.ts'
import { clockWatch } from './kernel/clock.ts'
import type { Services } from './kernel/cx.ts'
import { forgetOldJobs, jobLoop } from './kernel/jobs.ts'
import { type Loop, type Reconciler, startLoop } from './kernel/loop.ts'
import { forgetOldChanges, lastSequence, publishChanges } from './kernel/publisher.ts'
import { forgetRefusedOften, refusedOftenWriter } from './kernel/refused-often.ts'
import { jobs, mends, reconcilers } from './modules/registry.ts'

/** What runs without a request: jobs, reconcilers and the publisher of changes. */
export class Background {
  readonly #loops = new Map<string, Loop>()

  start(services: Services): void {
    const own = [publisher, jobLoop(jobs), clockWatch(mends), refusedOftenWriter(services), retention]
    for (const reconciler of [...own, ...reconcilers])
      this.#loops.set(reconciler.name, startLoop(services, reconciler))
  }

  wake(name: string): void {
    this.#loops.get(name)?.wake()
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#loops.values()].map((loop) => loop.stop()))
  }
}

const publisher: Reconciler = {
  name: 'publisher',
  everyMs: 200,
  async run(services) {
    services.published ??= await lastSequence(services)
    const last = await publishChanges(services)
    if (last === undefined) return undefined
    services.published = last
    services.bell.ring()
    return 0
  },
}

const retention: Reconciler = {
  name: 'retention',
  everyMs: 3_600_000,
  async run(services) {
    await forgetOldJobs(services)
    await forgetOldSessions(services)
    await forgetOldChanges(services)
    await forgetOldAudit(services)
    await forgetRefusedOften(services)
  },
}
