import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import { Client, serve } from '../fleet.ts'
import { summary } from '../measure.ts'

const loads = Number(process.env['GANTRY_BENCH_LOADS'] ?? 8)
const rows = 9
/** Ages under a minute change each second, and each change is a commit. */
const settledMs = 61_000
const list = '/projects/cold/instances'
/**
 * A phone-class processor and a common link, to measure what users experience rather than what this host can
 * do.
 */
const slowdown = 4
const isLinked = !process.env['GANTRY_BENCH_NO_LINK']
const link = { offline: false, latency: 20, downloadThroughput: 1_250_000, uploadThroughput: 1_250_000 }

interface Load {
  row: number
  painted: number
  blocked: number
  commits: number
  requests: number
}

/**
 * Cold loads of the list of nine instances. `GANTRY_BENCH_BEFORE` names the `packages` folder of another
 * built checkout, whose loads alternate with ours.
 */
export async function coldLoads(browser: Browser): Promise<Record<string, string | number>[]> {
  const before = process.env['GANTRY_BENCH_BEFORE']
  const variants = [...(before ? [await stage('before', before)] : []), await stage('now')]
  try {
    await sleep(settledMs)
    for (let round = 0; round < loads + 1; round++) {
      for (const { served, loaded, cookie } of variants) {
        const load = await coldLoad(browser, `http://127.0.0.1:${served.port}`, cookie)
        // The first load of each warms the server.
        if (round > 0) loaded.push(load)
      }
    }
    return variants.map(({ name, loaded }) => lineOf(name, loaded))
  } finally {
    for (const { served, dataDir } of variants) {
      await served.stop()
      rmSync(dataDir, { recursive: true, force: true })
    }
  }
}

async function stage(name: string, packages?: string) {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'gantry-bench-'))
  const served = await serve(
    ['--data-dir', dataDir],
    packages && path.join(packages, 'server/dist/gantry.js'),
  )
  const client = new Client(served.port)
  const cookie = await client.signIn()
  await client.send('POST', '/v1/projects', { name: 'cold', description: '' })
  for (let number = 1; number <= rows; number++)
    await client.send('POST', '/v1/instances?project=cold', {
      name: `one-${number}`,
      description: '',
      ncpus: 1,
      memory: 1024 ** 3,
      hostname: `one-${number}`,
      start: false,
    })
  return { name, served, dataDir, cookie, loaded: [] as Load[] }
}

async function coldLoad(browser: Browser, url: string, cookie: string): Promise<Load> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  try {
    const [name = '', value = ''] = cookie.split('=')
    await context.addCookies([{ name, value, url }])
    await context.addInitScript(watch)
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
    await session.send('Network.enable')
    if (isLinked) await session.send('Network.emulateNetworkConditions', link)
    await page.goto(url + list)
    return await page.evaluate(() => (globalThis as unknown as { load: Promise<Load> }).load)
  } finally {
    await context.close()
  }
}

/**
 * Runs in the page before its scripts: an observer sees the row in the task that creates it, where polling
 * would be late.
 */
function watch(): void {
  let [commits, blocked] = [0, 0]
  Object.assign(globalThis, {
    __REACT_DEVTOOLS_GLOBAL_HOOK__: {
      supportsFiber: true,
      inject: () => 1,
      onCommitFiberRoot: () => (commits += 1),
      onCommitFiberUnmount: () => undefined,
      onPostCommitFiberRoot: () => undefined,
    },
  })
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) blocked += Math.max(0, duration - 50)
  }).observe({ type: 'longtask', buffered: true })
  const load = new Promise<Load>((resolve) => {
    const observer = new MutationObserver(() => {
      if (!document.querySelector('tbody a.name')) return
      observer.disconnect()
      const row = performance.now()
      const requests = performance.getEntriesByType('resource').length + 1
      requestAnimationFrame(() =>
        setTimeout(() => {
          const painted = performance.now()
          // Blocking and painting after the first row count too, above all those of the tools.
          setTimeout(() => resolve({ row, painted, blocked, commits, requests }), 1500)
        }),
      )
    })
    observer.observe(document, { childList: true, subtree: true })
  })
  Object.assign(globalThis, { load })
}

function lineOf(name: string, loaded: readonly Load[]): Record<string, string | number> {
  const median = (of: (load: Load) => number) =>
    summary(
      loaded.map(of).sort((a, b) => a - b),
      1,
    ).p50
  return {
    [`cold, medians of ${loads}`]: name,
    'row in the DOM': `${median(({ row }) => row).toFixed(0)} ms`,
    painted: `${median(({ painted }) => painted).toFixed(0)} ms`,
    'blocking time': `${median(({ blocked }) => blocked).toFixed(0)} ms`,
    commits: median(({ commits }) => commits),
    'requests before the row': median(({ requests }) => requests),
  }
}
