import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Browser, chromium, type Locator, type Page } from 'playwright-core'
import { findChromium } from '../e2e/support/chromium.mjs'
import { openDatabase } from '../packages/server/src/database/open.ts'
import { callers, fill, fleet, sessionOf } from './fill.ts'
import { Client, serve } from './fleet.ts'
import { coldLoads } from './list/cold.ts'
import { longTasks, paintedAfter, serverTime } from './list/painted.ts'
import { markdown, ms, summary, table } from './measure.ts'

/** Search texts, typed letter by letter. */
const sought = ['4711', 'web-0123', '0815', 'cache-09', '77777', 'db-0055', '99', 'worker-0901']
const turns = 10
const into = process.env['GANTRY_BENCH_MARKDOWN']
const list = '/projects/vast/instances'

interface Step {
  total: number
  server: number
}

/** The list of a very large project as users experience it: from a key or a click to painted rows. */
export default async function measure(): Promise<void> {
  const cold = await coldLoads()
  table(cold)
  if (into) writeFileSync(path.join(into, 'list-cold.md'), `${markdown(cold)}\n`)
  if (process.env['GANTRY_BENCH_COLD_ONLY']) return
  const browser = await chromium.launch(await findChromium())
  try {
    await hundredThousand(browser)
  } finally {
    await browser.close()
  }
}

async function hundredThousand(browser: Browser): Promise<void> {
  console.log(
    `${fleet.vast.toLocaleString()} instances in the project; server and browser share the processors`,
  )
  const dataDir = mkdtempSync(path.join(tmpdir(), 'gantry-bench-'))
  const filling = await openDatabase({ dataDir })
  await fill(filling.dialect)
  await filling.close()
  const server = await serve(['--data-dir', dataDir])
  try {
    const url = `http://127.0.0.1:${server.port}`
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    const cookie = { name: 'session', value: sessionOf(callers[0] ?? 0), url }
    await context.addCookies([cookie])
    // The default buffer of 250 entries is mostly used up by the first visit.
    await context.addInitScript(() => performance.setResourceTimingBufferSize(10_000))
    const page = await context.newPage()
    const client = new Client(server.port)
    await client.signIn()
    const steps = new Map<string, Step[]>()
    for (let round = 0; round < turns; round++) note(steps, 'open the list', await opened(page, url + list))
    await page.getByRole('combobox', { name: 'Filter instances' }).waitFor()
    for (const text of sought) await typed(page, client, text, (step) => note(steps, 'type a letter', step))
    for (let round = 0; round < turns; round++) {
      note(steps, 'turn the page', await clicked(page, () => page.getByRole('button', { name: 'Next' })))
    }
    for (let round = 0; round < turns; round++) {
      const head = round % 2 === 0 ? 'Created' : 'Name'
      const button = () => page.getByRole('columnheader', { name: head, exact: true }).getByRole('button')
      note(steps, 'sort by another column', await clicked(page, button))
    }
    for (let round = 0; round < turns; round++) note(steps, 'choose all rows or none', await chosen(page))
    const rows = [...steps].map(([what, each]) => row(what, each))
    table(rows)
    const tasks = await longTasks(page)
    const longest = Math.max(0, ...tasks).toFixed(0)
    console.log(`${tasks.length} tasks over 50 ms since the page was opened, the longest ${longest} ms`)
    if (into) writeFileSync(path.join(into, 'list.md'), `${markdown(rows)}\n`)
  } finally {
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

function note(steps: Map<string, Step[]>, what: string, step: Step): void {
  const known = steps.get(what)
  if (known) known.push(step)
  else steps.set(what, [step])
}

/** From navigation to the first rows, with a warm browser cache. */
async function opened(page: Page, url: string): Promise<Step> {
  const from = performance.now()
  await page.goto(url)
  await paintedAfter(page, { kind: 'rows' })
  return { total: performance.now() - from, server: await serverTime(page) }
}

async function typed(page: Page, client: Client, text: string, found: (step: Step) => void): Promise<void> {
  const field = page.getByRole('combobox', { name: 'Filter instances' })
  await field.focus()
  for (let length = 1; length <= text.length; length++) {
    const part = text.slice(0, length)
    const names = await namesOf(client, part)
    const press = () => page.keyboard.press(text[length - 1] ?? '')
    const total = await paintedAfter(page, { kind: 'names', names, event: 'keydown' }, press)
    found({ total, server: await serverTime(page, { filter: part }) })
  }
  const names = await namesOf(client, '')
  await paintedAfter(page, { kind: 'names', names, event: 'input' }, () => field.fill(''))
}

async function namesOf(client: Client, part: string): Promise<string[]> {
  const asked = `/ext/v1/instances?project=vast&limit=50&sort_by=name_ascending`
  const { items } = await client.json<{ items: { name: string }[] }>(
    part === '' ? asked : `${asked}&filter=${encodeURIComponent(part)}`,
  )
  return items.map(({ name }) => name)
}

/** Until the rows have changed. */
async function clicked(page: Page, button: () => Locator): Promise<Step> {
  await page.waitForTimeout(300)
  const total = await paintedAfter(page, { kind: 'other', event: 'click' }, () => button().click())
  return { total, server: await serverTime(page) }
}

async function chosen(page: Page): Promise<Step> {
  const box = page.locator('thead').getByRole('checkbox')
  return { total: await paintedAfter(page, { kind: 'chosen', event: 'click' }, () => box.click()), server: 0 }
}

function row(what: string, steps: readonly Step[]): Record<string, string | number> {
  const of = (value: (step: Step) => number) => {
    const sorted = steps.map(value).sort((a, b) => a - b)
    return { p75: ms(sorted[Math.floor(sorted.length * 0.75)] ?? 0), ...summary(sorted, 1) }
  }
  const own = of(({ total, server }) => total - server)
  return {
    'from key or click to painted rows': what,
    times: steps.length,
    'p75 in all': of(({ total }) => total).p75,
    'p75 of the server': of(({ server }) => server).p75,
    'p75 without the server': own.p75,
    'p95 without the server': ms(own.p95),
  }
}
