import { simulatedFleet } from '../fleet/simulated/fleet.ts'
import type { Services } from '../context/services.ts'
import { refuseAlone } from '../modules/plans/four-eyes.ts'
import { plannedRequest } from '../modules/plans/request.ts'
import { createdTags } from '../modules/tags/demand.ts'
import { scimRequest } from '../modules/scim/requests.ts'
import { handlers } from '../modules/registry.ts'
import { testEnvironment } from './environment.ts'

/** Services over a test bed's database, for tests without requests. No loop runs. */
export function testServices(given: Partial<Services> & Pick<Services, 'db'>): Services {
  const environment = testEnvironment()
  const { db, blocks = environment.blocks, clock = environment.clock } = given
  return {
    ...environment,
    handlers,
    planned: plannedRequest,
    refuseAlone,
    createdTags,
    scim: scimRequest,
    ending: new AbortController().signal,
    wake: {
      changes() {},
      jobs() {},
      fleet() {},
      restarts() {},
      uploads() {},
      actions() {},
      updates() {},
      disks() {},
      racks() {},
      networks() {},
    },
    fleet: simulatedFleet({ db, blocks, clock }),
    runJob: async () => {},
    published: undefined,
    ...given,
  }
}
