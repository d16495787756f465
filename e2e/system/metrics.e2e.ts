import type { Page } from '@playwright/test'
import type { Api } from '../support/scenes.ts'
import { visit } from '../support/steps.ts'
import { notOn, story } from '../support/target.ts'
import { expect, test } from '../support/test.ts'

const metricsOf = (project: string, name: string) => `/projects/${project}/instances/${name}/metrics`
const chart = (page: Page, title: string) => page.getByRole('region', { name: `${title} chart` })
const drawn = (page: Page, title: string) => chart(page, title).getByRole('group')
const running = 'CPU Utilization: Running'

/** Five minutes of which the first has passed: the shortest charts have a point each 5 seconds. */
function shortRange() {
  const start = Math.floor(Date.now() / 60_000) * 60_000 - 60_000
  return { start, end: start + 300_000 }
}

const inRange = ({ start, end }: { start: number; end: number }) =>
  `?from=${new Date(start).toISOString()}&to=${new Date(end).toISOString()}`

async function fromMenu(page: Page, title: string, item: string): Promise<void> {
  await chart(page, title)
    .getByRole('button', { name: `${title} chart actions` })
    .click()
  await page.getByRole('menuitem', { name: item }).click()
}

interface Series {
  points: { start_times: string[]; timestamps: string[]; values: { values: { values: (number | null)[] } }[] }
}

/** The mean of each timeseries in the window before `end`, computed from its plain samples of the last hour. */
async function meansOf(api: Api, project: string, query: string, end: number, windowMs: number) {
  const { tables } = (await api('member', 'POST', `/v1/timeseries/query?project=${project}`, {
    query: `${query} && timestamp > @now() - 1h`,
  })) as { tables: { timeseries: Series[] }[] }
  return (tables[0]?.timeseries ?? []).map(({ points }) => {
    let [sum, count] = [0, 0]
    points.timestamps.forEach((text, index) => {
      const [from, to] = [Date.parse(points.start_times[index] ?? ''), Date.parse(text)]
      const inside = Math.min(to, end) - Math.max(from, end - windowMs)
      if (inside <= 0) return
      sum += ((points.values[0]?.values.values[index] ?? 0) * inside) / (to - from)
      if (to > end - windowMs && to <= end) count += 1
    })
    return sum / Math.max(1, count)
  })
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

/** The last number of a chart's table, and its time. */
async function lastShown(page: Page, title: string) {
  await expect(async () => {
    await page.getByRole('button', { name: 'Refresh charts' }).click()
    await expect(drawn(page, title)).toBeVisible({ timeout: 2000 })
  }).toPass({ timeout: 120_000 })
  await fromMenu(page, title, 'View as table')
  const dialog = page.getByRole('dialog', { name: title })
  const cells = dialog
    .locator('tbody tr')
    .filter({ has: page.locator('td', { hasText: /^[\d,.]+%?$/ }) })
    .last()
  await expect(cells).toBeVisible()
  const time = await cells.locator('time').getAttribute('datetime')
  const text = await cells.locator('td').innerText()
  return { end: Date.parse(time ?? ''), value: Number.parseFloat(text.replaceAll(',', '')) }
}

test('charts show the samples of the instance', story, async ({ open, machine, api, project }) => {
  test.setTimeout(240_000)
  const { id } = await machine('busy', { start: true })
  const range = inRange(shortRange())
  const page = await open('member', `${metricsOf(project, 'busy')}/cpu${range}`)

  const ran = await lastShown(page, running)
  const ofVcpus = `get virtual_machine:vcpu_usage | filter instance_id == "${id}" && state == "run"`
  const shares = await meansOf(api, project, ofVcpus, ran.end, 5000)
  expect(ran.value).toBeGreaterThan(0)
  expect(ran.value).toBeCloseTo((sumOf(shares) * 100) / (5e9 * shares.length), 1)

  for (const [tab, title, metric, field] of [
    ['disk', 'Disk Writes', 'virtual_disk:writes', 'attached_instance_id'],
    ['network', 'Packets Received', 'instance_network_interface:packets_received', 'instance_id'],
  ] as const) {
    await visit(page, `${metricsOf(project, 'busy')}/${tab}${range}`)
    const { end, value } = await lastShown(page, title)
    const means = await meansOf(api, project, `get ${metric} | filter ${field} == "${id}"`, end, 5000)
    expect(means, title).toHaveLength(1)
    expect(value, title).toBeCloseTo(sumOf(means), 1)
  }
})

test(
  'a page of ten charts sends one request per interval',
  notOn({ preview: 'its requests stay in the page' }),
  async ({ open, machine, project }) => {
    await machine('idle')
    const page = await open('member', '/projects')
    await page.clock.install()
    // While the clock jumps, no heartbeat arrives: a stream would count as silent, and its successor read all again.
    await page.route('**/ext/v1/changes*', (route) => route.abort())
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/v1/timeseries/query')) sent.push(request.postData() ?? '')
    })
    await visit(page, `${metricsOf(project, 'idle')}/disk?compare=before`)
    // Five charts with the period before: ten lines, by one request for each period.
    await expect(chart(page, 'Disk Flushes')).toContainText('No data')
    await expect.poll(() => sent.length).toBe(2)
    for (let interval = 1; interval <= 5; interval++) {
      await page.clock.runFor(60_000)
      await expect.poll(() => sent.length).toBe(2 + 2 * interval)
    }
    await expect(chart(page, 'Disk Flushes')).toContainText('No data')
    for (const text of sent) expect(text.match(/get virtual_disk:/g)).toHaveLength(5)
  },
)

test('a chart marks the events of its instance, in words too', async ({ open, machine, api, project }) => {
  test.setTimeout(240_000)
  await machine('mail')
  const of = `?project=${project}`
  await api('member', 'PUT', `/v1/instances/mail${of}`, { ncpus: 1, memory: 2 ** 30 })
  await api('member', 'POST', `/v1/instances/mail/start${of}`)
  // Until a chart is drawn, the other changes are past.
  const page = await open('viewer', `${metricsOf(project, 'mail')}/cpu${inRange(shortRange())}`)
  await expect(async () => {
    await page.getByRole('button', { name: 'Refresh charts' }).click()
    await expect(drawn(page, running)).toBeVisible({ timeout: 2000 })
  }).toPass({ timeout: 120_000 })

  const marks = drawn(page, running).getByRole('list', { name: 'Changes' }).getByRole('listitem')
  const names = async () => Promise.all((await marks.all()).map((mark) => mark.getAttribute('aria-label')))
  await expect(async () => {
    const all = (await names()).join('; ')
    for (const word of ['Created', 'Resized from 2 vCPUs, 2 GiB to 1 vCPU, 1 GiB', 'Started'])
      expect(all).toContain(`: ${word}`)
  }).toPass({ timeout: 30_000 })

  // A change arrives without a reload, and the keyboard reaches each mark.
  await api('member', 'POST', `/v1/instances/mail/reboot${of}`)
  await expect(marks.last()).toHaveAccessibleName(/: Rebooted$/, { timeout: 30_000 })
  await drawn(page, running).focus()
  await page.keyboard.press('Tab')
  await expect(marks.first()).toBeFocused()
  await page.keyboard.press('End')
  await expect(marks.last()).toBeFocused()
  await expect(page.getByRole('tooltip').filter({ hasText: 'Rebooted' })).toBeVisible()
  // Keys of the page still work there.
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog', { name: 'Jump to' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(marks.last()).toBeFocused()

  await fromMenu(page, running, 'View as table')
  const table = page.getByRole('dialog', { name: `${running} (%)` }).getByRole('table')
  await expect(table.getByRole('row').filter({ hasText: 'Rebooted' })).toHaveCount(1)
  await expect(table.getByRole('row').filter({ hasText: 'Attached disk mail-boot' })).toHaveCount(1)
})

test('the metrics of a stopped instance are empty, and say so', async ({ open, machine, project }) => {
  await machine('idle')
  const page = await open('viewer', metricsOf(project, 'idle'))
  await expect(page).toHaveURL(/\/metrics\/cpu$/)
  await expect(page.getByRole('tab', { name: 'Metrics' })).toHaveAttribute('aria-selected', 'true')
  await expect(chart(page, running)).toContainText('No data')
  await page.getByRole('combobox', { name: 'Choose state' }).selectOption('State: Waiting')
  await expect(chart(page, 'CPU Utilization: Waiting')).toBeVisible()
  await page.getByRole('combobox', { name: 'Choose state' }).selectOption('All states')
  await expect(page.getByRole('region', { name: /^CPU Utilization/ })).toHaveCount(4)
})

test(
  'the selected range stays in the URL across charts and a reload',
  notOn({ preview: 'reloads' }),
  async ({ open, machine, project }) => {
    await machine('idle')
    const page = await open('member', metricsOf(project, 'idle'))
    const preset = page.getByRole('combobox', { name: 'Choose a time range preset' })
    await preset.selectOption('Last 24 hours')
    await page.getByRole('radio', { name: 'Disk' }).click()
    await expect(page).toHaveURL(/\/metrics\/disk\?range=day$/)
    await expect(chart(page, 'Disk Flushes')).toContainText('No data')
    await page.getByRole('combobox', { name: 'Choose disk' }).selectOption('idle-boot')
    await page.reload()
    await expect(preset.locator('option:checked')).toHaveText('Last 24 hours')
    await expect(page.getByRole('combobox', { name: 'Choose disk' }).locator('option:checked')).toHaveText(
      'idle-boot',
    )

    // Custom keeps the range, which then stays where it is.
    const dates = page.getByRole('button', { name: 'Choose a date range' })
    const shown = await dates.innerText()
    await preset.selectOption('Custom')
    await expect(page).toHaveURL(/from=.*to=/)
    await expect(dates).toHaveText(shown)
    const interval = page.getByRole('combobox', { name: 'Refresh interval' })
    await expect(interval).toBeDisabled()
    await expect(interval.locator('option:checked')).toHaveText('Off')
    await preset.selectOption('Last 24 hours')
    // The charts gain a point a minute.
    await expect(interval.locator('option')).toHaveText(['Off', '1m', '2m', '5m'])
    await expect(interval.locator('option:checked')).toHaveText('1m')

    await dates.click()
    const range = page.getByRole('dialog', { name: 'Date range' })
    await range.getByLabel('Start').fill('2026-01-02T10:00')
    await range.getByLabel('End').fill('2026-01-01T10:00')
    await expect(range.getByText('The end must be after the start').first()).toBeVisible()
    await range.getByLabel('End').fill('2026-01-03T10:00')
    await range.getByRole('button', { name: 'Apply' }).click()
    await expect(range).toBeHidden()
    await expect(dates).toBeFocused()
    await expect(preset.locator('option:checked')).toHaveText('Custom')
    await expect(interval).toBeDisabled()
    await page.goBack()
    await expect(preset.locator('option:checked')).toHaveText('Last 24 hours')
  },
)

test('a chart shows its query, and what its metric is', async ({ open, machine, project }) => {
  const { id } = await machine('idle')
  const page = await open('member', `${metricsOf(project, 'idle')}/network`)
  await fromMenu(page, 'Bytes Sent', 'View OxQL query')
  const query = page.getByRole('dialog', { name: 'OxQL query' })
  await expect(query).toContainText('get instance_network_interface:bytes_sent')
  await expect(query).toContainText(`&& instance_id == "${id}"`)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await query.getByRole('button', { name: 'Copy query' }).click()
  await expect(query.getByRole('button', { name: 'Copied' })).toBeVisible()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toMatch(
    /^get instance_network_interface:bytes_sent \| filter timestamp >= @.* \| group_by \[instance_id\], sum$/,
  )
  await page.keyboard.press('Escape')
  await fromMenu(page, 'Packets Dropped', 'About this metric')
  await expect(page.getByRole('dialog', { name: 'About this metric' })).toContainText('packets_dropped')
})

test(
  'five charts of a page take one request, and a refused query leaves the others',
  notOn({ preview: 'mocks responses of the control plane, which runs in the page' }),
  async ({ open, machine, project }) => {
    await machine('idle')
    const page = await open('member', '/projects')
    const sent: string[] = []
    await page.route('**/v1/timeseries/query?**', async (route) => {
      const { query } = route.request().postDataJSON() as { query: string }
      sent.push(query)
      const isRefused = query.includes('virtual_disk:flushes')
      const refusal = { request_id: 'r-1', error_code: 'InvalidRequest', message: 'Not this one' }
      await (isRefused ? route.fulfill({ status: 400, json: refusal }) : route.fallback())
    })
    await visit(page, `${metricsOf(project, 'idle')}/network`)
    await expect(chart(page, 'Packets Dropped')).toContainText('No data')
    expect(sent).toHaveLength(1)
    await page.getByRole('radio', { name: 'Disk' }).click()
    await expect(chart(page, 'Disk Flushes')).toContainText('Not this one')
    await expect(chart(page, 'Disk Reads')).toContainText('No data')
    expect(sent).toHaveLength(7)
  },
)

test('utilization shows provisioned resources over time, and the keyboard reaches each value', async ({
  open,
  machine,
  api,
  project,
}) => {
  await machine('eater', { start: true, ncpus: 16 })
  const { id } = (await api('member', 'GET', `/v1/projects/${project}`)) as { id: string }
  const page = await open('viewer', `/utilization?project=${id}`)
  await expect(page.getByRole('combobox', { name: 'Choose project' }).locator('option:checked')).toHaveText(
    project,
  )
  await expect(async () => {
    await page.getByRole('button', { name: 'Refresh charts' }).click()
    await drawn(page, 'CPU').focus()
    await page.keyboard.press('End')
    await expect(chart(page, 'CPU').getByRole('status')).toContainText('CPU16', { timeout: 2000 })
  }).toPass({ timeout: 110_000 })
  await page.keyboard.press('Home')
  await expect(chart(page, 'CPU').getByRole('status')).toContainText('CPU0')
})

test(
  'utilization reads its latest changes at every interval',
  notOn({ preview: 'its requests stay in the page' }),
  async ({ open }) => {
    const page = await open('viewer', '/projects')
    // None of the intervals below contains the start of a minute.
    await page.clock.install({ time: Math.ceil(Date.now() / 60_000) * 60_000 + 5000 })
    const ends = new Set<number>()
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url())
      const timeOf = (name: string) => Date.parse(searchParams.get(name) ?? '')
      const [start, end] = [timeOf('start_time'), timeOf('end_time')]
      // The forecast reads a month.
      if (pathname === '/v1/metrics/cpus_provisioned' && end - start === 3_600_000) ends.add(end)
    })
    await visit(page, '/utilization?tab=metrics')
    for (let read = 1; read <= 3; read++) {
      await expect.poll(() => ends.size).toBeGreaterThanOrEqual(read)
      await page.clock.runFor(10_000)
    }
  },
)

test('dragging over a chart zooms in, and Back zooms out', async ({ open }) => {
  const page = await open('admin', '/system/utilization?tab=metrics&range=day')
  await expect(drawn(page, 'Memory')).toBeVisible()
  const box = await drawn(page, 'Memory').boundingBox()
  if (!box) throw new Error('no chart')
  await page.mouse.move(box.x + box.width * 0.3, box.y + 80)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.5, box.y + 80, { steps: 4 })
  await page.mouse.up()
  await expect(page).toHaveURL(/from=.*to=/)
  const preset = page.getByRole('combobox', { name: 'Choose a time range preset' })
  await expect(preset.locator('option:checked')).toHaveText('Custom')
  await page.goBack()
  await expect(preset.locator('option:checked')).toHaveText('Last day')

  const downloading = page.waitForEvent('download')
  await fromMenu(page, 'Memory', 'Download CSV')
  expect((await downloading).suggestedFilename()).toBe('memory.csv')
  await page.getByRole('combobox', { name: 'Choose silo' }).selectOption({ label: 'demo' })
  await expect(page).toHaveURL(/silo=/)
  await expect(drawn(page, 'Memory')).toBeVisible()
})

test(
  'the list of instances shows CPU use where it is wanted, by one query for the page',
  notOn({ preview: 'its requests stay in the page' }),
  async ({ open, machine, project }) => {
    test.setTimeout(240_000)
    await machine('busy', { start: true })
    await machine('idle')
    const page = await open('member', `/projects/${project}/instances`)
    let queries = 0
    page.on('request', (request) => (queries += Number(request.url().includes('/v1/timeseries/query'))))
    await visit(page, `/projects/${project}/instances`)
    await expect(page.getByRole('row', { name: /busy/ })).toBeVisible()
    await expect(page.getByRole('columnheader', { name: 'CPU use' })).toHaveCount(0)
    expect(queries).toBe(0)

    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('checkbox', { name: 'CPU use' }).check()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('columnheader', { name: 'CPU use' })).toBeVisible()
    await expect.poll(() => queries).toBe(1)
    // The choice outlives the page. The first samples of the instance take a while.
    await expect(async () => {
      queries = 0
      await visit(page, `/projects/${project}/instances`)
      await expect(page.getByRole('row', { name: /busy/ })).toContainText(/\d+% to \d+% in 30 minutes/, {
        timeout: 5000,
      })
    }).toPass({ timeout: 180_000 })
    expect(queries).toBe(1)
    await expect(page.getByRole('row', { name: /idle/ })).not.toContainText('%')
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('checkbox', { name: 'CPU use' }).uncheck()
    await expect(page.getByRole('columnheader', { name: 'CPU use' })).toHaveCount(0)
  },
)
