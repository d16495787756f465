import { refresh, row, visit, withoutFirstAnswers } from '../support/steps.ts'
import { expect, test } from '../support/test.ts'
import { notOn, story } from '../support/target.ts'

test(
  "a user sees the silo's remaining quota, and its updates",
  story,
  async ({ open, machine, api, project }) => {
    const GiB = 1024 ** 3
    const page = await open('viewer', '/projects')
    await page.getByRole('navigation', { name: 'Sidebar' }).getByRole('link', { name: 'Utilization' }).click()
    const card = (name: string) => page.getByRole('region', { name: new RegExp(`^${name} \\(`) })
    await expect(card('CPU')).toContainText('Quota256 vCPU')
    await expect(card('Memory')).toContainText('Quota1,024 GiB')
    await expect(card('Storage')).toContainText('Quota20 TiB')
    await expect(row(page, 'Memory')).toContainText('1,024 GiB')
    const used = async () =>
      Number.parseInt(await card('CPU').getByRole('definition').first().innerText(), 10)
    // The machines of an earlier test may still be ending.
    const running = async () =>
      ((await api('viewer', 'GET', '/v1/utilization')) as { provisioned: { cpus: number } }).provisioned.cpus
    await expect.poll(running).toBe(0)
    await expect.poll(used).toBe(0)
    const before = await used()
    await machine('eater', { start: true, ncpus: 16, memory: 64 * GiB })
    await expect(async () => expect(await used()).toBe(before + 16)).toPass()
    const percent = ((before + 16) / 256) * 100
    await expect(page.getByRole('meter', { name: 'CPU', exact: true })).toHaveAttribute(
      'aria-valuenow',
      String(Math.round(percent * 100) / 100),
    )
    await expect(row(page, 'CPU')).toContainText(`${before + 16} vCPU${256 - before - 16} vCPU256 vCPU`)
    await api('member', 'POST', `/v1/instances/eater/stop?project=${project}`)
    await expect(async () => expect(await used()).toBe(before)).toPass()
  },
)

test(
  'a quota of zero shows no percentage, and the page works without any role',
  notOn({ preview: 'mocks responses of the control plane, which runs in the page' }),
  async ({ open }) => {
    const page = await open('ines', '/login')
    const none = { cpus: 0, memory: 0, storage: 0 }
    await withoutFirstAnswers(page)
    await page.route('**/v1/utilization', (route) =>
      route.fulfill({ json: { provisioned: none, capacity: none } }),
    )
    await visit(page, '/utilization')
    await expect(page.getByRole('region', { name: /^CPU \(/ })).toContainText('—%')
    await expect(page.getByRole('region', { name: /^Storage \(/ })).toContainText('—%')
    await expect(page.getByText('NaN')).toHaveCount(0)
    await page.unroute('**/v1/utilization')
    await refresh(page)
    await expect(page.getByRole('region', { name: /^CPU \(/ })).toContainText('Quota256 vCPU')
  },
)

test(
  'a failed load is shown, and can be retried',
  notOn({ preview: 'mocks responses of the control plane, which runs in the page' }),
  async ({ open }) => {
    const page = await open('viewer', '/login')
    await withoutFirstAnswers(page)
    await page.route('**/v1/utilization', (route) =>
      route.fulfill({ status: 503, json: { request_id: 'r-1', message: 'Service Unavailable' } }),
    )
    await visit(page, '/utilization')
    await expect(page.getByRole('heading', { name: 'Something went wrong' })).toBeVisible()
    await page.unroute('**/v1/utilization')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('heading', { name: 'Utilization' })).toBeVisible()
  },
)
