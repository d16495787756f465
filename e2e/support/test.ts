import { type BrowserContext, expect, test as base } from '@playwright/test'
import { Cluster } from './cluster.ts'
import { adapt } from './engine.ts'
import { Gantry, type Served } from './gantry.ts'
import { Renewed } from './recordings/installations.ts'
import type { Api } from './scenes.ts'
import { previewStage } from './stage-preview.ts'
import { serverStage } from './stage-server.ts'
import { type Stage, viewport } from './stage.ts'
import { replays, target, targetSkipReason, skipReason } from './target.ts'
import { type Watch, watch } from './watch.ts'

export { expect }

const GiB = 1024 ** 3
const blank = { type: 'blank', block_size: 512 }

interface Helpers extends Pick<Stage, 'open' | 'api'> {
  /** Creates an instance in the test's project; by default it is stopped, small and has a boot disk. */
  machine: (name: string, more?: object) => Promise<{ id: string }>
  project: string
  stage: Stage
  skipIfUnsupported: undefined
  pageErrors: undefined
}

interface Shared {
  gantry: Served
  /** Shared by all tests of a worker, because it caches the service worker and an empty database. */
  previewBrowser: BrowserContext
  watched: Watch
}

/**
 * Each worker has a server or a cluster, and each test its own project there; in the preview, each test has a
 * page that contains everything.
 */
export const test = base.extend<Helpers, Shared>({
  gantry: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the parameter's shape
    async ({}, use) => {
      const gantry = replays
        ? new Renewed()
        : target === 'cluster'
          ? await Cluster.open()
          : await new Gantry().start()
      if ('missing' in gantry) throw new Error(gantry.missing)
      await use(gantry)
      await gantry.remove()
    },
    { scope: 'worker' },
  ],
  previewBrowser: [
    async ({ browser }, use) => {
      const context = await browser.newContext({ viewport, baseURL: process.env.GANTRY_PREVIEW_URL })
      await use(context)
      await context.close()
    },
    { scope: 'worker' },
  ],
  watched: [
    async ({ browser }, use) => {
      await adapt(browser)
      await use(watch(browser))
    },
    { scope: 'worker', auto: true },
  ],
  // Fails any test whose pages reported errors or violated the content security policy.
  pageErrors: [
    async ({ watched }, use) => {
      watched.take()
      await use(undefined)
      expect(watched.take(), 'errors in pages').toEqual([])
    },
    { auto: true },
  ],
  skipIfUnsupported: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the parameter's shape
    async ({}, use, testInfo) => {
      const reason = skipReason(testInfo.annotations) ?? (await targetSkipReason())
      testInfo.skip(reason !== undefined, reason)
      await use(undefined)
    },
    { auto: true },
  ],
  stage: replays
    ? [
        async ({ browser, gantry }, use, testInfo) => {
          const { playAndReplay } = await import('./recordings/recorded-stage.ts')
          // The worker's is one of these here.
          await playAndReplay(browser, gantry as Renewed, use, testInfo)
        },
        { timeout: 300_000 },
      ]
    : target === 'preview'
      ? async ({ previewBrowser }, use) => play(previewStage(previewBrowser), use)
      : async ({ browser, gantry }, use) => {
          await play(serverStage(browser, gantry), use)
          if (gantry instanceof Cluster) await gantry.betweenTests()
        },
  open: ({ stage }, use) => use(stage.open),
  api: ({ stage }, use) => use(stage.api),
  machine: async ({ api, project }, use) => {
    await use(async (name, more = {}) => {
      const boot_disk = {
        type: 'create',
        name: `${name}-boot`,
        description: '',
        size: GiB,
        disk_source: blank,
      }
      const body = {
        name,
        description: '',
        hostname: name,
        ncpus: 2,
        memory: 2 * GiB,
        boot_disk,
        start: false,
        ...more,
      }
      return (await api('member', 'POST', `/v1/instances?project=${project}`, body)) as { id: string }
    })
  },
  project: async ({ api }, use, { testId }) => {
    // Sorts after `playground`, which so stays on the first page however many tests have run.
    const name = `q-${testId.slice(-12)}`.toLowerCase()
    await api('admin', 'POST', '/v1/projects', { name, description: 'made for one test' })
    await use(name)
    // Its server is its own.
    if (replays) return
    await stopAll(api, name)
    // Sorts after the projects of later tests; the test may have deleted its project.
    await api('admin', 'PUT', `/v1/projects/${name}`, { name: `z-${name}` }).catch(() => undefined)
  },
})

/** Running instances use the silo's quota, which later tests share. */
async function stopAll(api: Api, project: string): Promise<void> {
  const path = `/v1/instances?project=${project}&limit=1000`
  // The test may have deleted its project.
  const { items } = (await api('admin', 'GET', path).catch(() => ({ items: [] }))) as {
    items: { name: string; run_state: string }[]
  }
  for (const { name, run_state } of items)
    if (['running', 'starting', 'rebooting'].includes(run_state))
      await api('admin', 'POST', `/v1/instances/${name}/stop?project=${project}`).catch(() => undefined)
}

async function play(stage: Stage, use: (stage: Stage) => Promise<void>): Promise<void> {
  await use(stage)
  await stage.clear()
}
