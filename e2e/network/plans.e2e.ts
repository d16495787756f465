import type { Page } from '@playwright/test'
import { confirm, notifications, row, rowAction, visit } from '../support/steps.ts'
import { expect, test } from '../support/test.ts'
import { notOn, story } from '../support/target.ts'

const rulesAt = (project: string) => `/v1/vpc-firewall-rules?project=${project}&vpc=default`
const tab = (project: string) => `/projects/${project}/vpcs/default/firewall-rules`
const review = (page: Page) => page.getByRole('dialog', { name: /^Review: / })
const reachable = { external_ips: [{ type: 'ephemeral' }], start: false }

const refusedAlone = (kind: string) => ({
  request_id: 'x',
  error_code: 'InvalidRequest',
  message: 'changes of this need a second person in this silo',
  help: 'Save the request as a plan.',
  details: { four_eyes: kind, is_savable: true },
})

interface Rules {
  rules: { name: string; priority: number; status: string }[]
}

test.beforeEach(() => test.slow())

test('an edit of a firewall rule can be reviewed, and is reviewed again if the rules change meanwhile', async ({
  open,
  project,
  machine,
  api,
}) => {
  await machine('db', reachable)
  const page = await open('member', tab(project))
  await row(page, 'allow-ssh').getByRole('link', { name: 'allow-ssh' }).click()
  const form = page.getByRole('dialog', { name: 'Edit rule' })
  await form.getByRole('checkbox', { name: 'Enabled' }).uncheck()
  await form.getByLabel('Description').fill('closed for now')
  await form.getByRole('button', { name: 'Review' }).click()

  const packets = review(page).getByRole('table', { name: 'Packets whose verdict changes' })
  await expect(review(page)).toContainText('nothing has changed yet')
  await expect(packets.getByRole('row', { name: /TCP 22/ })).toContainText(/the internet.*db.*TCP 22/)
  const changed = review(page).getByRole('table', { name: 'Firewall rules' }).getByRole('row')
  await expect(changed.filter({ hasText: 'Edited' })).toContainText('allow-ssh')
  await expect(changed.filter({ hasText: 'Status' })).toContainText(/enabled.*disabled/)

  // What was typed is still there.
  await review(page).getByRole('button', { name: 'Back to editing' }).click()
  await expect(form.getByLabel('Description')).toHaveValue('closed for now')
  await form.getByRole('button', { name: 'Review' }).click()
  // Otherwise the plan could already be that of the changed rules.
  await expect(packets).toBeVisible()

  const { rules } = (await api('member', 'GET', rulesAt(project))) as Rules
  const other = rules.map((rule) => (rule.name === 'allow-icmp' ? { ...rule, priority: 7 } : rule))
  await api('member', 'PUT', rulesAt(project), { rules: other })
  await review(page).getByRole('button', { name: 'Commit 1 change' }).click()
  await expect(review(page)).toContainText('What this would do has changed meanwhile')
  await review(page).getByRole('button', { name: 'Commit 1 change' }).click()
  await expect(notifications(page)).toContainText('Firewall rule allow-ssh updated')
  await expect(form).toBeHidden()
  const after = ((await api('member', 'GET', rulesAt(project))) as Rules).rules
  expect(after.find(({ name }) => name === 'allow-ssh')?.status).toBe('disabled')
  expect(after.find(({ name }) => name === 'allow-icmp')?.priority).toBe(7)
})

test('a new order of firewall rules can be reviewed, with the old and the new priority of each rule', async ({
  open,
  project,
  api,
}) => {
  const page = await open('member', tab(project))
  await page.getByRole('button', { name: 'Reorder' }).click()
  const asks = page.getByRole('button', { name: 'Review', exact: true })
  await expect(asks).toHaveAccessibleDescription('Move a rule first')
  await page.getByRole('button', { name: 'Move allow-ssh' }).press('Home')
  await asks.click()
  const { rules } = (await api('member', 'GET', rulesAt(project))) as Rules
  const was = rules.find(({ name }) => name === 'allow-ssh')?.priority
  const moved = review(page).getByRole('table', { name: 'Firewall rules' }).getByRole('row')
  await expect(moved.filter({ hasText: 'allow-ssh' })).toContainText(new RegExp(`Priority.*${was}`))
  await review(page).getByRole('button', { name: 'Back to editing' }).click()
  await expect(page.getByText('1 rule with a new priority, not saved yet.')).toBeVisible()
  await asks.click()
  await review(page).getByRole('button', { name: 'Commit 1 change' }).click()
  await expect(notifications(page)).toContainText('Order of the firewall rules saved')
  const after = ((await api('member', 'GET', rulesAt(project))) as Rules).rules
  expect(after.find(({ name }) => name === 'allow-ssh')?.priority).toBeLessThan(was ?? 0)
})

test(
  'a question says which packets no longer pass, and undoing the deletion lets them pass again',
  story,
  async ({ open, project, machine, api }) => {
    await machine('db', reachable)
    const passes = async () => {
      const { id } = (await api('member', 'GET', `/v1/instances/db?project=${project}`)) as { id: string }
      const checked = (await api(
        'member',
        'POST',
        `/ext/v1/vpc-packet-checks?project=${project}&vpc=default`,
        {
          from: { type: 'internet' },
          to: { type: 'instance', value: id },
          packet: { type: 'tcp', port: 22 },
        },
      )) as { reason: string }
      return checked.reason
    }
    const before = await passes()
    const page = await open('member', tab(project))
    await rowAction(page, 'allow-ssh', 'Delete')
    const question = page.getByRole('dialog', { name: 'Confirm delete firewall rule' })
    await expect(question).toContainText('TCP 22 from the internet to db no longer passes')
    await confirm(page)
    await expect(row(page, 'allow-ssh')).toHaveCount(0)
    expect(await passes()).not.toBe(before)
    await notifications(page).getByRole('button', { name: 'Undo' }).click()
    await expect(row(page, 'allow-ssh')).toBeVisible()
    expect(await passes()).toBe(before)
  },
)

test('stopping several instances says first what happens to each', async ({ open, project, machine }) => {
  await machine('one', { start: true })
  await machine('two', { start: true })
  const page = await open('member', `/projects/${project}/instances`)
  await expect(row(page, 'one')).toContainText('Running')
  await expect(row(page, 'two')).toContainText('Running')
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  const question = page.getByRole('dialog', { name: /Confirm stop 2 instances/ })
  await expect(question).toContainText('one: running → stopping')
  await expect(question).toContainText('two: running → stopping')
})

test('a change is saved as a plan where the silo demands a second person, who commits it', async ({
  open,
  project,
  machine,
  api,
}) => {
  await machine('db', reachable)
  const asked = { method: 'PUT', path: `/v1/projects/${project}`, body: '{"description":"by plan"}' }
  const { id } = (await api('member', 'POST', '/ext/v1/saved-plans', asked)) as { id: string }

  // From a form, the plan keeps what was typed.
  const page = await open('member', tab(project))
  await row(page, 'allow-ssh').getByRole('link', { name: 'allow-ssh' }).click()
  const form = page.getByRole('dialog', { name: 'Edit rule' })
  await form.getByLabel('Priority').fill('12')
  await form.getByRole('button', { name: 'Review' }).click()
  await review(page).getByRole('button', { name: 'Save as plan' }).click()
  await review(page).getByLabel('Note for who commits it').fill('after the backup')
  await review(page).getByRole('button', { name: 'Save plan' }).click()
  await review(page).getByRole('link', { name: 'Open the plan' }).click()
  await expect(page.getByRole('heading', { name: /Edit VPC firewall rules/ })).toBeVisible()
  await expect(page.getByText('after the backup')).toBeVisible()
  await page.getByRole('button', { name: 'Withdraw' }).click()
  await expect(notifications(page)).toContainText('Plan withdrawn')
  await expect(page.getByText(/Withdrawn by member/)).toBeVisible()

  // Another user who may make the change commits it.
  const other = await open('admin', `/plans/${id}`)
  await expect(other.getByText(/Saved by member/)).toBeVisible()
  await other.getByRole('button', { name: 'Commit 1 change' }).click()
  await expect(notifications(other)).toContainText('Plan committed')
  await visit(other, `/projects/${project}/activity`)
  await expect(other.getByText(/admin, in the console, by a plan of member/)).toBeVisible()
  await visit(other, `/projects/${project}/plans`)
  await expect(other.getByRole('table', { name: 'Plans' })).toContainText('Committed')
})

test(
  'where the silo demands a second person, saving leads to the review, which offers to save the plan',
  notOn({ preview: 'its requests are not intercepted' }),
  async ({ open, project, machine }) => {
    await machine('db', reachable)
    const page = await open('member', tab(project))
    // The servers of tests are shared, so the demand is only told to this page.
    await page.route('**/ext/v1/four-eyes-settings', (route) =>
      route.fulfill({ json: { kinds: ['firewall'] } }),
    )
    await page.route('**/v1/vpc-firewall-rules?*', (route) =>
      route.request().method() === 'PUT' && !route.request().url().includes('/ext/v1/plans')
        ? route.fulfill({ status: 400, json: refusedAlone('firewall') })
        : route.fallback(),
    )
    await row(page, 'allow-ssh').getByRole('link', { name: 'allow-ssh' }).click()
    const form = page.getByRole('dialog', { name: 'Edit rule' })
    await form.getByLabel('Priority').fill('12')
    await form.getByRole('button', { name: 'Update rule' }).click()
    await expect(review(page)).toContainText('A second person commits this')
    await expect(review(page).getByRole('button', { name: 'Commit 1 change' })).toHaveAttribute(
      'aria-disabled',
      'true',
    )
    await review(page).getByRole('button', { name: 'Save as plan' }).click()
    await review(page).getByRole('button', { name: 'Save plan' }).click()
    await expect(review(page)).toContainText('Plan saved')

    // So does a deletion, in its question.
    await page.route('**/ext/v1/four-eyes-settings', (route) =>
      route.fulfill({ json: { kinds: ['deletions'] } }),
    )
    await page.route('**/v1/instances/db?*', (route) =>
      route.request().method() === 'DELETE' && !route.request().url().includes('/ext/v1/plans')
        ? route.fulfill({ status: 400, json: refusedAlone('deletions') })
        : route.fallback(),
    )
    await visit(page, `/projects/${project}/instances`)
    await rowAction(page, 'db', 'Delete')
    await confirm(page)
    const question = page.getByRole('dialog', { name: 'Confirm delete instance' })
    await expect(question).toContainText('somebody else commits deletions')
    await question.getByRole('button', { name: 'Save as plan' }).click()
    await question.getByRole('button', { name: 'Save plan' }).click()
    await expect(question).toContainText('Plan saved')
  },
)

test(
  'the deletion of a project is saved with what goes, and somebody else commits it',
  notOn({ preview: 'mocks responses of the control plane, which runs in the page' }),
  async ({ open, project, api, machine }) => {
    await machine('db-1')
    const page = await open('admin', `/projects/${project}/delete`)
    await page.route('**/ext/v1/four-eyes-settings', (route) =>
      route.fulfill({ json: { kinds: ['deletions'] } }),
    )
    await page.reload()
    await expect(page.getByRole('main')).toContainText('A second person commits this')
    await expect(page.getByRole('button', { name: 'Delete project' })).toHaveAttribute(
      'aria-disabled',
      'true',
    )
    await page.getByRole('button', { name: 'Save as plan' }).click()
    await page.getByLabel('Note for who commits it').fill('it was for a trade fair')
    await page.getByRole('button', { name: 'Save plan' }).click()
    const link = page.getByRole('link', { name: 'Open the plan' })
    const path = (await link.getAttribute('href')) ?? ''

    const other = await open('member', path)
    await expect(other.getByRole('main')).toContainText('it was for a trade fair')
    await expect(other.getByRole('table', { name: 'What goes with the project' })).toContainText(
      /Instance.*1/,
    )
    await other.getByRole('button', { name: 'Commit 1 change' }).click()
    await expect(notifications(other)).toContainText('Plan committed')
    await expect
      .poll(async () => {
        const { items } = (await api('member', 'GET', '/ext/v1/deletions')) as {
          items: { object: { name: string }; state: string }[]
        }
        return items.find(({ object }) => object.name === project)?.state
      })
      .toBe('done')
  },
)

test('a router and a pool are created through their review', async ({ open, project }) => {
  const page = await open('member', `/projects/${project}/vpcs/default/routers-new`)
  await page.getByLabel('Name', { exact: true }).fill('extra')
  await page.getByRole('button', { name: 'Review', exact: true }).click()
  await expect(review(page)).toContainText(/Created.*router extra/)
  await review(page)
    .getByRole('button', { name: /^Commit/ })
    .click()
  await expect(row(page, 'extra')).toBeVisible()

  const operator = await open('admin', '/system/networking/ip-pools-new')
  await operator.getByLabel('Name', { exact: true }).fill(`pool-${project}`)
  await operator.getByRole('button', { name: 'Review', exact: true }).click()
  await expect(review(operator)).toContainText(`IP pool pool-${project}`)
  await review(operator)
    .getByRole('button', { name: /^Commit/ })
    .click()
  await expect(row(operator, `pool-${project}`)).toBeVisible()
})
