import type { Page } from '@playwright/test'
import type { Api } from '../support/scenes.ts'
import { confirm, refresh, row, visit } from '../support/steps.ts'
import { expect, test } from '../support/test.ts'
import { notOn } from '../support/target.ts'

const GiB = 1024 ** 3

/** The current states on the server, as `web running`. */
async function statesOf(api: Api, project: string): Promise<string[]> {
  const path = `/v1/instances?project=${project}`
  const { items } = (await api('member', 'GET', path)) as { items: { name: string; run_state: string }[] }
  return items.map(({ name, run_state }) => `${name} ${run_state}`)
}

const box = (page: Page, name: string) => page.getByRole('checkbox', { name: `Select ${name}` })
const bar = (page: Page) => page.getByRole('toolbar', { name: 'Selected instances' })
const runs = (page: Page) => page.getByRole('region', { name: 'Actions on several instances' })

test('a user starts many instances at once; one is refused with a reason, and a reload keeps the result', async ({
  open,
  project,
  machine,
  api,
}) => {
  await machine('a-small')
  await machine('b-small')
  // More memory than any sled has.
  await machine('c-giant', { memory: 1536 * GiB })
  await machine('d-running', { start: true })
  const page = await open('member', `/projects/${project}/instances`)
  await expect(row(page, 'd-running')).toContainText('Running', { timeout: 20_000 })

  await page.getByRole('columnheader').getByRole('checkbox', { name: 'Select all on this page' }).check()
  await expect(bar(page)).toContainText('4 selected')
  await expect(bar(page).getByRole('button', { name: 'Start 3 of 4' })).toBeVisible()
  await expect(bar(page).getByRole('button', { name: 'Reboot 1 of 4' })).toBeVisible()
  await box(page, 'd-running').uncheck()
  await expect(bar(page)).toContainText('3 selected')
  // An action that applies to none of them says why.
  await expect(bar(page).getByRole('button', { name: 'Reboot' })).toHaveAccessibleDescription(
    'Only available when running',
  )

  await bar(page).getByRole('button', { name: 'Start', exact: true }).click()
  await expect(page.getByRole('dialog')).toContainText('a-small, b-small, c-giant')
  await confirm(page)
  await expect(runs(page)).toBeVisible()
  await refresh(page)
  await expect(runs(page).getByRole('heading', { name: 'Started 2 of 3 instances' })).toBeVisible({
    timeout: 20_000,
  })
  await expect(runs(page).getByRole('listitem').first()).toContainText(
    /^c-giant .*Could not find any valid sled/,
  )
  // "Started" appears once they run, not when they were requested to: no waiting here.
  expect(await statesOf(api, project)).toEqual(expect.arrayContaining(['a-small running', 'b-small running']))
  await expect(row(page, 'a-small')).toContainText('Running')
  await expect(row(page, 'b-small')).toContainText('Running')

  await runs(page).getByRole('button', { name: 'Dismiss' }).click()
  await expect(runs(page)).toBeHidden()
  await refresh(page)
  await expect(box(page, 'a-small')).toBeVisible()
  await expect(runs(page)).toBeHidden()
})

test('a selection contains only visible rows, and deletes them', async ({ open, project, machine, api }) => {
  await machine('one')
  await machine('two')
  await machine('three')
  const page = await open('member', `/projects/${project}/instances`)
  await box(page, 'one').check()
  await box(page, 'two').check()
  await box(page, 'three').check()
  await expect(bar(page)).toContainText('3 selected')
  await api('admin', 'DELETE', `/v1/instances/two?project=${project}`)
  await expect(bar(page)).toContainText('2 selected')
  await bar(page).getByRole('button', { name: 'Delete', exact: true }).click()
  await confirm(page)
  await expect(runs(page).getByRole('heading', { name: 'Deleted 2 instances' })).toBeVisible()
  await expect(page.getByText('No instances')).toBeVisible()
})

test(
  'without bulk actions on the server, each instance gets its own request',
  notOn({ preview: 'mocks responses of the control plane, which runs in the page' }),
  async ({ open, project, machine, api }) => {
    await machine('here-1')
    await machine('here-2')
    await machine('here-giant', { memory: 1536 * GiB })
    const page = await open('member', '/projects')
    await page.route('**/ext/v1/instance-actions*', (route) => route.fulfill({ status: 404, body: 'none' }))
    await visit(page, `/projects/${project}/instances`)
    await page.getByRole('columnheader').getByRole('checkbox', { name: 'Select all on this page' }).check()
    await bar(page).getByRole('button', { name: 'Start', exact: true }).click()
    await confirm(page)
    await expect(runs(page).getByRole('heading', { name: 'Started 2 of 3 instances' })).toBeVisible({
      timeout: 20_000,
    })
    expect(await statesOf(api, project)).toEqual(expect.arrayContaining(['here-1 running', 'here-2 running']))
    await expect(row(page, 'here-1')).toContainText('Running')
  },
)

test('a viewer reads why bulk actions are disabled', async ({ open, project, machine }) => {
  await machine('seen')
  const page = await open('viewer', `/projects/${project}/instances`)
  await box(page, 'seen').check()
  await expect(bar(page).getByRole('button', { name: 'Start' })).toBeDisabled()
  await expect(bar(page).getByRole('button', { name: 'Start' })).toHaveAccessibleDescription(
    /role|collaborator/i,
  )
})
