import type { Page } from '@playwright/test'
import { press, tabTo } from '../support/keys.ts'
import { refresh, visit } from '../support/steps.ts'
import { story } from '../support/target.ts'
import { expect, test } from '../support/test.ts'

const explorerOf = (project: string, query = '', view = '') =>
  `/projects/${project}/metrics${query && `?q=${encodeURIComponent(query)}`}${view && `&view=${view}`}`
const editor = (page: Page) => page.getByRole('textbox', { name: 'Query' })
const result = (page: Page) => page.getByRole('region', { name: 'Result' })
const runs = 'get virtual_machine:vcpu_usage | filter state == "run" && timestamp > @now() - 1h'

async function write(page: Page, query: string): Promise<void> {
  // By the keyboard, because the editor learns of a selection made by a script only later.
  await editor(page).focus()
  await page.keyboard.press('Control+A')
  await page.keyboard.insertText(query)
  // What fits next is offered over the buttons.
  await page.keyboard.press('Escape')
}

test(
  'a member queries a running instance, as a chart and a table, and the URL keeps both',
  story,
  async ({ open, machine, project }) => {
    test.setTimeout(180_000)
    await machine('busy', { start: true })
    const page = await open('member', `/projects/${project}/instances`)
    await page
      .getByRole('navigation', { name: 'Sidebar' })
      .getByRole('link', { name: 'Metrics', exact: true })
      .click()
    await expect(page).toHaveTitle(/^Metrics \/ /)
    await write(page, runs)
    await page.getByRole('button', { name: 'Run query' }).click()
    await expect(async () => {
      await page.getByRole('button', { name: 'Run query' }).click()
      await expect(result(page).getByRole('group', { name: /^Result/ })).toBeVisible({ timeout: 2000 })
    }).toPass({ timeout: 120_000 })
    // Two vCPUs.
    await expect(result(page).getByRole('list', { name: 'Lines' }).getByRole('listitem')).toHaveText([
      'vcpu_id=0',
      'vcpu_id=1',
    ])

    await result(page).getByRole('radio', { name: 'Table' }).click()
    await expect(
      result(page)
        .getByRole('row', { name: /vcpu_usage .*state=run/ })
        .first(),
    ).toBeVisible()
    // Objects are shown by name, with the id beside it.
    await expect(
      result(page)
        .getByRole('row', { name: /instance=busy .*instance_id=[0-9a-f-]{36}/ })
        .first(),
    ).toBeVisible()
    await expect(page).toHaveURL(/q=get.*view=table/)
    await refresh(page)
    await expect(editor(page)).toHaveText(runs)
    await expect(
      result(page)
        .getByRole('row', { name: /state=run/ })
        .first(),
    ).toBeVisible()
  },
)

test('a syntax error in a query shows its position and what was expected', async ({ open, project }) => {
  const page = await open('viewer', explorerOf(project))
  await write(page, 'get virtual_disk:reads\n  | fliter disk_id == "a"')
  await page.getByRole('button', { name: 'Run query' }).click()
  const alert = result(page).getByRole('alert')
  await expect(alert).toContainText('at line 2, column 5')
  await expect(alert).toContainText('"filter"')
  await expect(editor(page).locator('.cm-lintRange-error')).toHaveText('fliter')

  await alert.getByRole('button', { name: 'Go to error' }).click()
  await expect(editor(page)).toBeFocused()
  await page.keyboard.press('Control+Shift+End')
  await page.keyboard.insertText('filter disk_id == "a"')
  await expect(editor(page).locator('.cm-lintRange-error')).toHaveCount(0)
  // It parses now, and its error has no position. Disks have no samples in the first seconds of a server.
  await expect(async () => {
    await page.keyboard.press('Control+Enter')
    await expect(alert).toContainText('not compatible with the expected type "Uuid"', { timeout: 1000 })
  }).toPass({ timeout: 60_000 })
  await expect(alert).not.toContainText('column')
})

test('the keyboard alone completes, runs and leaves the editor', async ({ open, project }) => {
  const page = await open('viewer', explorerOf(project))
  // Outside, the focused element is the host of the editor's shadow root.
  const host = page.getByRole('group', { name: 'Query editor' })
  await tabTo(page, host)
  await expect(editor(page)).toBeFocused()
  await page.keyboard.press('Control+A')
  await page.keyboard.type('get virtual_disk:wri')
  const offers = page.getByRole('listbox', { name: 'Completions' })
  await expect(offers.getByRole('option')).toContainText(['virtual_disk:writes'])
  // The editor ignores a choice right after the list has appeared, so that none is made by accident.
  await page.waitForTimeout(200)
  await page.keyboard.press('Enter')
  await expect(editor(page)).toHaveText('get virtual_disk:writes')
  await page.keyboard.press('Control+Enter')
  await expect(result(page)).toContainText('No data')
  await expect(page).toHaveURL(/q=get(\+|%20)virtual_disk/)
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Run query' })).toBeFocused()
})

test('a query is saved for the whole project, and those that were run are there again', async ({
  open,
  project,
}) => {
  const page = await open('member', explorerOf(project))
  await write(page, 'get virtual_disk:flushes')
  await page.getByRole('button', { name: 'Save query' }).click()
  const save = page.getByRole('dialog', { name: 'Save query' })
  await save.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(save).toContainText('Name is required')
  await save.getByLabel('Name').fill('flushes')
  await save.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(save).toBeHidden()
  await write(page, 'get virtual_disk:reads')
  await page.getByRole('button', { name: 'Run query' }).click()
  await expect(result(page)).toContainText('No data')

  await visit(page, explorerOf(project))
  await press(page, page.getByRole('button', { name: 'Queries' }))
  const queries = page.getByRole('dialog', { name: 'Queries' })
  await expect(queries.getByRole('button', { name: 'get virtual_disk:reads' })).toBeVisible()

  const other = await open('viewer', explorerOf(project))
  await press(other, other.getByRole('button', { name: 'Queries' }))
  const shared = other.getByRole('dialog', { name: 'Queries' })
  await shared.getByRole('button', { name: /^flushes/ }).click()
  await expect(editor(other)).toHaveText('get virtual_disk:flushes')
  // Viewers read saved queries and save none.
  await other.getByRole('button', { name: 'Save query' }).click()
  await expect(other.getByRole('dialog', { name: 'Save query' })).toContainText(/collaborator/)
})

test('a query cannot exceed its maximum length', async ({ open, project }) => {
  const page = await open('viewer', explorerOf(project))
  await write(page, 'get a:b')
  await editor(page).focus()
  await page.keyboard.insertText('x'.repeat(5000))
  await expect(page.getByRole('alert')).toContainText('at most 4,096 characters')
  await expect(editor(page)).toHaveText('get a:b')
})

test('strangers learn nothing of a project, nor of the fleet', async ({ open, project }) => {
  const page = await open('ines', explorerOf(project, runs))
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  await visit(page, '/system/metrics')
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
})

test('an operator queries the hardware, and a chart reports omitted timeseries', async ({ open }) => {
  const page = await open('admin', '/system/metrics')
  // The schemas arrive after the page, once something was sampled.
  await expect(async () => {
    await write(page, 'get hardware_component')
    await page.keyboard.type(':')
    const offered = page.getByRole('option', { name: 'hardware_component:temperature' })
    await expect(offered).toBeVisible({ timeout: 2000 })
  }).toPass({ timeout: 60_000 })
  await write(page, 'get hardware_component:temperature | filter timestamp > @now() - 1h')
  await expect(async () => {
    await page.getByRole('button', { name: 'Run query' }).click()
    await expect(result(page)).toContainText(/The chart draws 5 of \d+ timeseries/, { timeout: 2000 })
  }).toPass({ timeout: 60_000 })
})
