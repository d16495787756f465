import { Gantry } from './gantry.ts'
import { Renewed } from './recordings/installations.ts'
import { serverStage } from './stage-server.ts'
import type { Stage } from './stage.ts'
import { notOn, replays } from './target.ts'
import { test } from './test.ts'

/** Tests against a server of their own with these settings, on which no other test has left anything. */
export const testOwnServer = (settings: object) =>
  test.extend<{ own: Stage }>({
    own: replays
      ? [
          async ({ browser }, use, testInfo) => {
            const { playAndReplay } = await import('./recordings/recorded-stage.ts')
            const gantry = new Renewed(settings)
            await playAndReplay(browser, gantry, use, testInfo)
            await gantry.remove()
          },
          { timeout: 300_000 },
        ]
      : async ({ browser }, use) => {
          const gantry = await new Gantry({ settings }).start()
          const stage = serverStage(browser, gantry)
          await use(stage)
          await stage.clear()
          await gantry.remove()
        },
  })

/** The annotation of such a test. */
export const ownServer = notOn({ preview: 'starts a server', cluster: 'needs settings of its own' })
