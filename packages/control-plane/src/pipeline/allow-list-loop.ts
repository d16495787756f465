import type { Reconciler } from '../work/loop.ts'

/** How long another process may still use the list from before a change. */
const refreshMs = 1000

export const allowListRefresh: Reconciler = {
  name: 'allow-list',
  everyMs: refreshMs,
  async run({ allowList }) {
    await allowList.refresh()
  },
}
