import { Kysely } from 'kysely'
import { Background } from './background.ts'
import { migrate } from './db/migrate.ts'
import { indexNameParts } from './db/name-parts.ts'
import { resealAll } from './db/sealed.ts'
import type { Tables } from './db/tables.ts'
import type { ControlPlane, Environment } from './environment.ts'
import { claimForFleet } from './fleet/identity.ts'
import { simulatedFleet } from './fleet/simulated/fleet.ts'
import { searchedTables } from './lookup/kinds.ts'
import type { Services } from './context/services.ts'
import { requestedJobs } from './work/requested-jobs.ts'
import { refuseAlone } from './modules/plans/four-eyes.ts'
import { createdTags } from './modules/tags/demand.ts'
import { plannedRequest } from './modules/plans/request.ts'
import { handlers, jobs } from './modules/registry.ts'
import { scimRequest } from './modules/scim/requests.ts'
import { siloCertificates } from './modules/silo/served-certificates.ts'
import { requestPipeline } from './pipeline/pipeline.ts'
import { seed } from './seed/seed.ts'
import { changeFeed } from './stream/change-feed.ts'

/** Assembles the shared services, the request pipeline, and the background work. */
export function createControlPlane(environment: Environment): ControlPlane {
  const { dialect, fleet = simulatedFleet, ...outside } = environment
  const db = new Kysely<Tables>({ dialect })
  const ending = new AbortController()
  const background = new Background()
  const requested = requestedJobs(jobs)
  const services: Services = {
    ...outside,
    db,
    handlers,
    planned: plannedRequest,
    refuseAlone,
    createdTags,
    scim: scimRequest,
    ending: ending.signal,
    wake: {
      changes: () => background.wake('publisher'),
      jobs: () => background.wake('jobs'),
      fleet: () => background.wake('fleet'),
      restarts: () => {
        background.wake('restarts')
        background.wake('resume')
      },
      uploads: () => {
        background.wake('image-uploads')
        background.wake('update-uploads')
      },
      actions: () => background.wake('instance-action-outcomes'),
      updates: () => background.wake('system-update'),
      disks: () => background.wake('disk-adoption'),
      racks: () => background.wake('rack-membership'),
      networks: () => background.wake('networks'),
    },
    fleet: fleet({ db, blocks: outside.blocks, clock: outside.clock }),
    runJob: (job, options) => requested.run(services, job, options),
    published: undefined,
  }
  const { settled, ...pipeline } = requestPipeline(services)

  return {
    ...pipeline,
    migrate: async () => {
      await migrate(db)
      await claimForFleet(db, services.fleet)
      if ((await indexNameParts(db, searchedTables)) === 'unavailable')
        services.log.info({}, 'pg_trgm is unavailable: substring search works without an index')
      const count = await resealAll(db, services.seal)
      if (count > 0) services.log.info({ count }, 'secrets were sealed with the current key')
    },
    seed: (kind, password) => seed(services, kind, password),
    certificates: () => siloCertificates(services),
    start: () => background.start(services),
    startStreams: () => background.startStreams(services),
    wake: (loop) => background.wake(loop),
    stop: async () => {
      ending.abort()
      changeFeed(services).endAll()
      await background.stop()
      await settled()
      await requested.finish()
      await db.destroy()
    },
  }
}
