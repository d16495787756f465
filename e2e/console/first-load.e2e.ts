import fs from 'node:fs'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { builds } from '../../tools/lib/builds.mjs'
import { classOf, sharedLimits } from '../../tools/lib/first-loads.mjs'
import { chooseSilo, visit } from '../support/steps.ts'
import { expect, test } from '../support/test.ts'
import { notOn, story } from '../support/target.ts'

const kB = 1000

test(
  'the first load of the instances list is small and sends no API request',
  { ...story, ...notOn({ preview: 'measures what a server sends' }) },
  async ({ open, project, api }) => {
    for (let number = 1; number <= 8; number++) {
      await api('member', 'POST', `/v1/instances?project=${project}`, {
        name: `one-of-many-${number}`,
        description: '',
        ncpus: 1,
        memory: 1024 ** 3,
        hostname: 'host',
        start: false,
      })
    }
    const page = await open('member', '/favicon.ico')
    await recordFirstMatch(page, 'tbody a')
    const worker = page.waitForEvent('worker')
    await visit(page, `/projects/${project}/instances`)
    await expect(page.getByRole('row', { name: /one-of-many-8/ })).toBeVisible()
    await page.waitForLoadState('load')
    expect((await worker).url(), 'loads the locale beside the scripts').toMatch(/\/locale-data\.js$/)

    const files = await fetchedUntilMatch(page)
    const scripts = await weigh(files, /\.js$/)
    const weights = { scripts, styles: await weigh(files, /\.css$/), fonts: await weigh(files, /\.woff2$/) }
    const asked = files.map((file) => new URL(file).pathname).filter((path) => /^\/(v1|ext)\//.test(path))
    console.log('first load of the instances list, gzipped:', weights, asked)
    expect(weights.scripts).toBeGreaterThan(50 * kB)
    // The limit of a page is without the route tree, which is among these scripts and has a limit of its own.
    const tree = bytesOfTree()
    expect(tree).toBeLessThanOrEqual(sharedLimits.tree)
    const { limit } = classOf('/projects/$project/instances')
    expect(weights.scripts - tree).toBeLessThanOrEqual(limit)
    expect(weights.styles).toBeLessThanOrEqual(18 * kB)
    expect(weights.fonts).toBeLessThanOrEqual(75 * kB)
    // The first responses are embedded in the page.
    expect(asked).toEqual([])
  },
)

test(
  'the sign-in page is smaller, and fetches the console only once a username is typed',
  story,
  async ({ page, gantry }) => {
    await page.goto(`${gantry.url}/login?redirect_uri=/images`)
    await chooseSilo(page)
    await expect(page.getByLabel('Username')).toBeFocused()
    await page.waitForLoadState('networkidle')
    const files = await fetched(page)
    const scripts = await weigh(files, /\.js$/)
    console.log('first load of signing in, gzipped:', scripts, files.length, 'files')
    expect(scripts).toBeGreaterThan(50 * kB)
    expect(scripts).toBeLessThanOrEqual(100 * kB)
    expect(files.filter((file) => /\/(shell|libraries)-|locale-data/.test(file))).toEqual([])
    await page.getByLabel('Username').fill('member')
    await expect.poll(async () => (await fetched(page)).some((file) => file.includes('/shell-'))).toBe(true)
  },
)

/** One page of each kind: list, detail, tab with a table, form over a page, form over a list. */
const pages = [
  '/instances',
  '/instances/one/storage',
  '/vpcs/default/firewall-rules',
  '/instances-new',
  '/disks-new',
]

test(
  'a page is ready after at most 25 requests, document and API included',
  { ...story, ...notOn({ preview: 'measures what a server sends' }) },
  async ({ open, project, api }) => {
    await api('member', 'POST', `/v1/instances?project=${project}`, {
      name: 'one',
      description: '',
      ncpus: 1,
      memory: 1024 ** 3,
      hostname: 'one',
      start: false,
    })
    const requestsOf = async (path: string): Promise<string[]> => {
      const page = await open('member', '/favicon.ico')
      await recordFirstMatch(page, '#content h1, [role=dialog] h2')
      await visit(page, `/projects/${project}${path}`)
      await expect(page.locator('#content h1').first()).toBeVisible()
      const requests = ['the document', ...(await fetchedUntilMatch(page))]
      console.log(`${path}: ${requests.length} requests`)
      await page.close()
      return requests
    }
    for (const path of pages) {
      const requests = await requestsOf(path)
      // What a busy machine answers too late for the document is asked for again, which says nothing of the page. The
      // files of the first load count, and the fewest reads.
      const files = requests.filter((address) => !isRead(address)).length
      let reads = requests.filter(isRead).length
      for (let loads = 1; loads < 4 && files + reads > 25; loads++)
        reads = Math.min(reads, (await requestsOf(path)).filter(isRead).length)
      expect(files + reads, requests.join('\n')).toBeLessThanOrEqual(25)
    }
  },
)

test(
  'the first load of the instances list renders at most four times',
  notOn({ preview: 'frames the console, which renders more' }),
  async ({ open, project, machine }) => {
    const names = ['one', 'two', 'three']
    for (const name of names) await machine(name)
    const page = await open('member', '/favicon.ico')
    // New instances render their age each second.
    await page.clock.setFixedTime(new Date())
    // React reports each commit to the hook of its developer tools.
    await page.addInitScript(() => {
      const count = (selector: string) => document.querySelectorAll(selector).length
      const renders: object[] = []
      const hook = {
        supportsFiber: true,
        inject: () => 1,
        checkDCE: () => undefined,
        onCommitFiberUnmount: () => undefined,
        onPostCommitFiberRoot: () => undefined,
        onCommitFiberRoot: () => void renders.push({ rows: count('tbody tr'), strips: count('aside') }),
      }
      Object.assign(globalThis, { __REACT_DEVTOOLS_GLOBAL_HOOK__: hook, renders })
    })
    const followed = page.waitForResponse('**/ext/v1/changes**')
    await visit(page, `/projects/${project}/instances`)
    await followed
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
    const renders = await page.evaluate(() => (globalThis as unknown as { renders: object[] }).renders)
    expect(renders[0], 'the first has all rows and the strip').toEqual({ rows: names.length, strips: 1 })
    // Parts that no page needs at first come later.
    expect(renders.length).toBeGreaterThanOrEqual(2)
    expect(renders.length).toBeLessThanOrEqual(4)
  },
)

test(
  'only later pages are scrolled to their top, because that lays them out before they are painted',
  notOn({ preview: 'frames the console, which does the same' }),
  async ({ open, project, machine }) => {
    await machine('one')
    const page = await open('member', '/favicon.ico')
    await page.addInitScript(() => {
      const scrolled: string[] = []
      const note = () => void scrolled.push(location.pathname)
      Object.assign(globalThis, { scrollTo: note, scrolled })
      Element.prototype.scrollTo = note
    })
    await visit(page, `/projects/${project}/instances`)
    await page.getByRole('row', { name: /one/ }).getByRole('link', { name: 'one' }).click()
    await expect(page.getByRole('heading', { name: 'one', exact: true })).toBeVisible()
    const scrolled = () =>
      page.evaluate(() => [...new Set((globalThis as unknown as { scrolled: string[] }).scrolled)])
    await expect.poll(scrolled).toEqual([`/projects/${project}/instances/one/storage`])
  },
)

const isRead = (address: string): boolean => /\/(v1|ext)\//.test(address)

/** As the build measured it. */
function bytesOfTree(): number {
  const outDir = builds.find(({ name }) => name === 'console')?.outDir ?? ''
  const measured: { tree: number } = JSON.parse(
    fs.readFileSync(path.join(outDir, '.first-loads.json'), 'utf8'),
  )
  return measured.tree
}

/** Records when the first matching element appears. */
const recordFirstMatch = (page: Page, selector: string) =>
  page.addInitScript((wanted) => {
    const watch = new MutationObserver(() => {
      if (!document.querySelector(wanted)) return
      performance.mark('there')
      watch.disconnect()
    })
    watch.observe(document, { childList: true, subtree: true })
  }, selector)

/** What was requested before that moment; later requests prefetch other pages. */
const fetchedUntilMatch = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const [there] = performance.getEntriesByName('there')
    return performance
      .getEntriesByType('resource')
      .filter(({ startTime }) => there !== undefined && startTime < there.startTime)
      .map(({ name }) => name)
  })

const fetched = (page: Page): Promise<string[]> =>
  page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))

/**
 * Sizes as served to a client that accepts gzip, whatever this browser accepts; small files are not compressed.
 */
async function weigh(files: readonly string[], wanted: RegExp): Promise<number> {
  let total = 0
  for (const file of files.filter((each) => wanted.test(each))) {
    const response = await fetch(file, { headers: { 'accept-encoding': 'gzip' } })
    total += Number(response.headers.get('content-length') ?? 0) || (await response.arrayBuffer()).byteLength
  }
  return total
}
