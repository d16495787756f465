import { HeldRoles } from '../authz/held-roles.ts'
import { RecentCallers } from '../authz/recent-callers.ts'
import { RecentProjects } from '../lookup/recent-projects.ts'
import { simulatedFleet } from '../fleet/simulated/fleet.ts'
import { AllowListGuard } from '../pipeline/allow-list.ts'
import { ChangeFeed } from '../stream/change-feed.ts'
import { Positions } from '../stream/positions.ts'
import { changeLog } from '../stream/publisher.ts'
import type { Services } from '../context/services.ts'
import { testEnvironment } from './environment.ts'

/** Services over a test bed's database, for tests without requests. No loop runs. */
export function testServices(given: Partial<Services> & Pick<Services, 'db'>): Services {
  const environment = testEnvironment()
  const { db, blocks = environment.blocks, clock = environment.clock } = given
  return {
    ...environment,
    positions: new Positions({ db, seal: environment.seal, random: environment.random }),
    feed: new ChangeFeed(changeLog(db)),
    allowList: new AllowListGuard(db),
    heldRoles: new HeldRoles(),
    recentCallers: new RecentCallers(),
    recentProjects: new RecentProjects(),
    rowAllowances: new Map(),
    ending: new AbortController().signal,
    wake: {
      changes() {},
      jobs() {},
      fleet() {},
      restarts() {},
      uploads() {},
      actions() {},
      updates() {},
      networks() {},
    },
    fleet: simulatedFleet({ db, blocks, clock }),
    writes: new Set(),
    conversions: new Set(),
    followers: new Map(),
    runJob: async () => {},
    published: undefined,
    ...given,
  }
}
