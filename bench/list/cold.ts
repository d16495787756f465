import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, serve } from '../fleet.ts'
import { summary } from '../measure.ts'
import { Devtools } from './devtools.ts'

const loads = Number(process.env['GANTRY_BENCH_LOADS'] ?? 8)
const rows = 9
/** Ages under a minute change each second, and each change is a commit. */
const settledMs = 61_000
/** A question to the page costs it time, so none is asked before it has its row. */
const quietMs = 2000
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
export async function coldLoads(): Promise<Record<string, string | number>[]> {
  const before = process.env['GANTRY_BENCH_BEFORE']
  const variants = [...(before ? [await stage('before', before)] : []), await stage('now')]
  const browser = await Devtools.start()
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
    await browser.close()
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

async function coldLoad(browser: Devtools, url: string, cookie: string): Promise<Load> {
  const { browserContextId } = await browser.ask<{ browserContextId: string }>('Target.createBrowserContext')
  try {
    const [name = '', value = ''] = cookie.split('=')
    await browser.ask('Storage.setCookies', { browserContextId, cookies: [{ name, value, url }] })
    const { targetId } = await browser.ask<{ targetId: string }>('Target.createTarget', {
      url: 'about:blank',
      browserContextId,
      width: 1440,
      height: 900,
    })
    const { sessionId } = await browser.ask<{ sessionId: string }>('Target.attachToTarget', {
      targetId,
      flatten: true,
    })
    const ask = <Result>(method: string, params: object = {}) =>
      browser.ask<Result>(method, params, sessionId)
    await ask('Page.enable')
    await ask('Page.addScriptToEvaluateOnNewDocument', { source: `(${watch.toString()})()` })
    await ask('Emulation.setCPUThrottlingRate', { rate: slowdown })
    if (isLinked) {
      await ask('Network.enable')
      await ask('Network.emulateNetworkConditions', link)
    }
    await ask('Page.navigate', { url: url + list })
    await sleep(quietMs)
    const { result } = await ask<{ result: { value: Load } }>('Runtime.evaluate', {
      expression: 'load',
      awaitPromise: true,
      returnByValue: true,
    })
    return result.value
  } finally {
    await browser.ask('Target.disposeBrowserContext', { browserContextId })
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
