import { type BrowserContext, expect, test as base } from '@playwright/test'
import { Cluster } from './cluster.ts'
import { Gantry, type Served } from './gantry.ts'
import type { Api } from './scenes.ts'
import { previewStage } from './stage-preview.ts'
import { serverStage } from './stage-server.ts'
import { type Stage, viewport } from './stage.ts'
import { target, whyNoTarget, whyNotHere } from './target.ts'
import { type Watch, watch } from './watch.ts'

export { expect }

const GiB = 1024 ** 3
const blank = { type: 'blank', block_size: 512 }

interface Helpers extends Pick<Stage, 'open' | 'api'> {
  /** Makes an instance in the story's project; it is stopped, small and has a boot disk unless said otherwise. */
  machine: (name: string, more?: object) => Promise<{ id: string }>
  project: string
  stage: Stage
  fits: undefined
  unseen: undefined
}

interface Shared {
  gantry: Served
  /** Of all stories of a worker, because the worker of a service and an empty database are kept in it. */
  previewBrowser: BrowserContext
  watched: Watch
}

/** Each worker has a server process, or a cluster of them, and each story makes its own project in it; or each has a page that is both. */
export const test = base.extend<Helpers, Shared>({
  gantry: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the parameter's shape
    async ({}, use) => {
      const gantry = target === 'cluster' ? await Cluster.open() : await new Gantry().start()
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
  watched: [async ({ browser }, use) => use(watch(browser)), { scope: 'worker', auto: true }],
  // No story is good in which a page broke, or wanted what its content security policy forbids.
  unseen: [
    async ({ watched }, use) => {
      watched.take()
      await use(undefined)
      expect(watched.take(), 'what went wrong in pages').toEqual([])
    },
    { auto: true },
  ],
  fits: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the parameter's shape
    async ({}, use, testInfo) => {
      const reason = whyNotHere(testInfo.annotations) ?? (await whyNoTarget())
      testInfo.skip(reason !== undefined, reason)
      await use(undefined)
    },
    { auto: true },
  ],
  stage:
    target === 'preview'
      ? async ({ previewBrowser }, use) => play(previewStage(previewBrowser), use)
      : async ({ browser, gantry }, use) => {
          await play(serverStage(browser, gantry), use)
          if (gantry instanceof Cluster) await gantry.betweenStories()
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
    // After `playground` by name, which so stays on the first page of projects however many stories there were.
    const name = `q-${testId.slice(-12)}`.toLowerCase()
    await api('admin', 'POST', '/v1/projects', { name, description: 'made for one story' })
    await use(name)
    await stopAll(api, name)
    // Behind those of later stories too; where the story has deleted it there is nothing to move.
    await api('admin', 'PUT', `/v1/projects/${name}`, { name: `z-${name}` }).catch(() => undefined)
  },
})

/** What runs on holds the silo's quota, which later tests share. */
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
