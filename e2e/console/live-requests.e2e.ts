import type { Page } from '@playwright/test'
import { row } from '../support/steps.ts'
import { notOn, story } from '../support/target.ts'
import { expect, test } from '../support/test.ts'

/** API calls that the page sends from now on, without the stream. */
function requestsOf(page: Page): { take: () => string[] } {
  let seen: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    const isApi = pathname.startsWith('/v1/') || pathname.startsWith('/ext/v1/')
    if (isApi && pathname !== '/ext/v1/changes') seen.push(`${request.method()} ${pathname}${search}`)
  })
  return {
    take() {
      const taken = seen
      seen = []
      return taken
    },
  }
}

/** Long enough for a change to arrive and cause requests. */
const settle = (page: Page) => page.waitForTimeout(2500)

test(
  'an open list sends no request for a change in another project, and one for a change in its own',
  { ...story, ...notOn({ preview: 'counts requests to the control plane, which runs in the page' }) },
  async ({ open, project, machine, api }) => {
    const other = `${project}-other`
    await api('admin', 'POST', '/v1/projects', { name: other, description: '' })
    await machine('here')
    const page = await open('member', `/projects/${project}/instances`)
    await expect(row(page, 'here')).toBeVisible()
    await settle(page)
    const requests = requestsOf(page)

    // By another user: of the work that they began themselves, users are told wherever it is.
    for (let count = 0; count < 10; count++) {
      const disk = { type: 'blank', block_size: 512 }
      const body = { name: `disk-${count}`, description: '', size: 1024 ** 3, disk_source: disk }
      await api('admin', 'POST', `/v1/disks?project=${other}`, body)
      const instance = { name: `vm-${count}`, description: '', hostname: 'x', ncpus: 1, memory: 1024 ** 3 }
      await api('admin', 'POST', `/v1/instances?project=${other}`, { ...instance, start: false })
    }
    await settle(page)
    expect(requests.take()).toEqual([])

    await api('member', 'PUT', `/v1/instances/here?project=${project}`, {
      ncpus: 4,
      memory: 1024 ** 3,
      boot_disk: null,
      auto_restart_policy: null,
      cpu_platform: null,
    })
    await expect(row(page, 'here')).toContainText('4')
    await settle(page)
    // Totals follow the rows after a pause.
    const rowsOnly = () => {
      const taken = requests.take()
      const rows = taken.filter((request) => !request.includes('/ext/v1/list-totals?'))
      expect(taken.length - rows.length).toBeLessThanOrEqual(1)
      return rows
    }
    expect(rowsOnly()).toHaveLength(1)

    await Promise.all(
      ['one', 'two', 'three'].map((name) =>
        api('admin', 'POST', `/v1/instances?project=${project}`, {
          name,
          description: '',
          hostname: name,
          ncpus: 1,
          memory: 1024 ** 3,
          start: false,
        }),
      ),
    )
    for (const name of ['one', 'two', 'three']) await expect(row(page, name)).toBeVisible()
    await settle(page)
    // Three creations are a dozen changes; one that arrives separately may cost one more request.
    const asked = rowsOnly()
    expect(asked.length, asked.join(', ')).toBeLessThanOrEqual(2)
  },
)

test(
  'each change on a full page costs a single request, and Next appears with the row that fills another page',
  notOn({ preview: 'counts requests to the control plane, which runs in the page' }),
  async ({ open, project, api }) => {
    const create = (name: string) =>
      api('admin', 'POST', `/v1/disks?project=${project}`, {
        name,
        description: '',
        size: 1024 ** 3,
        disk_source: { type: 'blank', block_size: 512 },
      })
    for (let count = 0; count < 50; count++) await create(`disk-${String(count).padStart(2, '0')}`)
    const page = await open('member', `/projects/${project}/disks`)
    await expect(row(page, 'disk-49')).toBeVisible()
    await settle(page)
    const next = page.getByRole('button', { name: 'Next' })
    await expect(next).toHaveCount(0)
    const requests = requestsOf(page)

    await create('disk-51')
    await expect(next).toBeEnabled()
    await settle(page)
    // A creation is two changes, as the disk is made and as it becomes ready, which may arrive together. Each costs
    // the page itself, and no request for what follows.
    const sent = requests.take()
    expect(new Set(sent)).toEqual(new Set([`GET /v1/disks?project=${project}&limit=50`]))
    expect(sent.length).toBeLessThanOrEqual(2)
    await next.click()
    await expect(row(page, 'disk-51')).toBeVisible()
  },
)

test(
  'the button of tasks reads them when the work of its user begins and ends, and not in between',
  notOn({ preview: 'counts requests to the control plane, which runs in the page' }),
  async ({ open, project, machine, api }) => {
    await machine('own')
    const page = await open('member', `/projects/${project}/vpcs`)
    await expect(page.getByRole('button', { name: /^Tasks/ })).toBeVisible()
    await settle(page)
    const requests = requestsOf(page)
    const ofTasks = () => requests.take().filter((each) => each.startsWith('GET /ext/v1/tasks'))
    await api('member', 'POST', `/v1/instances/own/start?project=${project}`)
    await expect(page.getByRole('button', { name: /^Tasks: 1 running/ })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Tasks', exact: true })).toBeVisible({ timeout: 20_000 })
    await settle(page)
    const sent = ofTasks()
    expect(sent.length).toBeGreaterThanOrEqual(2)
    // It begins, is reserved, runs: each change may cost one request.
    expect(sent.length).toBeLessThanOrEqual(4)
    await settle(page)
    await settle(page)
    expect(ofTasks()).toEqual([])
  },
)
