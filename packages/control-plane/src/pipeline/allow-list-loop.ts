import type { Reconciler } from '../work/loop.ts'
import { allowListGuard } from './allow-list.ts'

/** How long another process may still use the list from before a change. */
const refreshMs = 1000

export const allowListRefresh: Reconciler = {
  name: 'allow-list',
  everyMs: refreshMs,
  async run(services) {
    await allowListGuard(services).refresh()
  },
}
