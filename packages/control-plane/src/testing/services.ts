import { HeldRoles } from '../authz/held-roles.ts'
import { simulatedFleet } from '../fleet/simulated.ts'
import { AllowListGuard } from '../kernel/allow-list.ts'
import { ChangeFeed } from '../kernel/change-feed.ts'
import { changeLog } from '../kernel/publisher.ts'
import type { Services } from '../kernel/services.ts'
import { testEnvironment } from './environment.ts'

/** Services over a test bed's database, for tests without requests. No loop runs. */
export const testServices = (given: Partial<Services> & Pick<Services, 'db'>): Services => ({
  ...testEnvironment(),
  feed: new ChangeFeed(changeLog(given.db)),
  allowList: new AllowListGuard(given.db),
  heldRoles: new HeldRoles(),
  ending: new AbortController().signal,
  wake: { changes() {}, jobs() {}, fleet() {}, restarts() {}, uploads() {}, actions() {} },
  fleet: simulatedFleet,
  writes: new Set(),
  followers: new Map(),
  runJob: async () => {},
  published: undefined,
  ...given,
})
