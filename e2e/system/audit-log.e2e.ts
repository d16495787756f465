import fs from 'node:fs/promises'
import { row } from '../support/steps.ts'
import { story } from '../support/target.ts'
import { expect, test } from '../support/test.ts'

test('an operator finds who changed a pool, and sees it before and after', story, async ({ open, api }) => {
  await api('admin', 'POST', '/v1/system/ip-pools', { name: 'audited', description: 'as it was' })
  await api('admin', 'PUT', '/v1/system/ip-pools/audited', { description: 'as it became' })
  const page = await open('admin', '/system')
  await page.getByRole('navigation', { name: 'Sidebar' }).getByRole('link', { name: 'Audit log' }).click()
  await expect(page.getByRole('heading', { name: 'Audit log', level: 1 })).toBeVisible()

  await page.getByRole('searchbox', { name: 'Object name or ID' }).fill('audited')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/object=audited/)
  await expect(row(page, 'IP pool update')).toContainText('Changed IP pool audited')
  await expect(row(page, 'IP pool create')).toContainText('Success 201')
  await row(page, 'IP pool update').getByRole('link', { name: 'IP pool update' }).click()

  const panel = page.getByRole('dialog', { name: 'IP pool update' })
  const changes = panel.getByRole('region', { name: 'Changes' })
  await expect(changes).toContainText('as it was')
  await expect(changes).toContainText('as it became')
  await expect(panel).toContainText('/v1/system/ip-pools/audited')
  await expect(changes.getByRole('link', { name: 'audited' })).toHaveAttribute(
    'href',
    /\/system\/networking\/ip-pools\/audited/,
  )
  await page.keyboard.press('Escape')
  await expect(panel).toHaveCount(0)
  // The list is as it was left.
  await expect(page).toHaveURL(/object=audited$/)

  await page.getByRole('combobox', { name: 'Result' }).selectOption('Error')
  await expect(page.getByRole('heading', { name: 'Nothing matches' })).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).first().click()
  await expect(page).toHaveURL(/\/system\/audit-log$/)
  await api('admin', 'DELETE', '/v1/system/ip-pools/audited')
})

test('the log keeps its scroll position below a record', async ({ open, api, project }) => {
  for (let number = 0; number < 12; number++)
    await api('member', 'PUT', `/v1/projects/${project}`, { description: `number ${number}` })
  const page = await open('admin', '/system/audit-log')
  await expect(row(page, 'Project update').nth(11)).toBeVisible()
  await page.setViewportSize({ width: 1440, height: 500 })
  const scrolled = () => page.locator('#content').evaluate(({ scrollTop }) => scrollTop)
  const record = row(page, 'Project update').nth(11).getByRole('link').first()
  await record.scrollIntoViewIfNeeded()
  const before = await scrolled()
  expect(before).toBeGreaterThan(0)
  await record.click()
  await expect(page.getByRole('dialog', { name: 'Project update' })).toBeVisible()
  expect(await scrolled()).toBe(before)
})

test('an operator types a date and a text to filter by, and stays in the field', async ({ open }) => {
  const page = await open('admin', '/system/audit-log')
  const from = page.getByLabel('From')
  await from.focus()
  await page.keyboard.type('08012026')
  await expect(page).toHaveURL(/from=2026-08-01/)
  await expect(from).toHaveValue('2026-08-01')
  await expect(from).toBeFocused()
  const object = page.getByRole('searchbox', { name: 'Object name or ID' })
  await object.fill('nothing-of-this-name')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Nothing matches' })).toBeVisible()
  await expect(object).toBeFocused()
  await page.getByRole('button', { name: 'Clear filters' }).first().click()
  await expect(from).toHaveValue('')
  await expect(object).toHaveValue('')
})

test('the filtered log can be exported as CSV and as JSON lines', async ({ open, api }) => {
  await api('admin', 'POST', '/v1/system/ip-pools', { name: 'exported', description: 'with, a comma' })
  const page = await open('admin', '/system/audit-log?object=exported')
  await expect(row(page, 'IP pool create')).toBeVisible()
  const download = async (name: string) => {
    const began = page.waitForEvent('download')
    await page.getByRole('button', { name: `Export ${name}` }).click()
    const file = await began
    return { name: file.suggestedFilename(), text: await fs.readFile(await file.path(), 'utf8') }
  }
  const csv = await download('CSV')
  expect(csv.name).toMatch(/^audit-log-\d{4}-\d\d-\d\d\.csv$/)
  const [heads, line] = csv.text.split('\r\n')
  expect(heads).toContain('time_completed,actor,silo')
  expect(line).toContain('create ip-pool exported')
  const lines = (await download('JSON lines')).text.trimEnd().split('\n')
  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    operation_id: 'ip_pool_create',
    actor_name: 'admin',
    changes: [{ name: 'exported', after: { description: 'with, a comma' } }],
  })
  await api('admin', 'DELETE', '/v1/system/ip-pools/exported')
})

test(
  "a silo admin reads the silo's log; other users see which role they lack",
  story,
  async ({ open, project }) => {
    const page = await open('admin', '/access')
    await page.getByRole('link', { name: 'Audit log' }).click()
    await expect(page).toHaveURL(/\/audit-log$/)
    await page.getByRole('searchbox', { name: 'Object name or ID' }).fill(project)
    await page.keyboard.press('Enter')
    // Until the filter applies, rows of other projects are there too.
    const created = page.getByRole('row').filter({ hasText: `Created project ${project}` })
    await expect(created).toContainText('Project create')

    const other = await open('member', '/access')
    const button = other.getByRole('button', { name: 'Audit log' })
    await expect(button).toBeDisabled()
    await expect(button).toHaveAccessibleDescription(/role admin on silo demo/)
  },
)

test('a refused request shows its caller and operation', async ({ open, api }) => {
  await api('member', 'POST', '/v1/system/ip-pools', { name: 'refused', description: '' }).catch(
    () => undefined,
  )
  const page = await open('admin', '/system/audit-log?result=error&actor=member&operation=ip_pool_create')
  const tried = row(page, 'IP pool create').first()
  await expect(tried).toContainText('Error 403')
  await tried.getByRole('link').click()
  await expect(page.getByRole('dialog')).toContainText('Forbidden')
})

test('the log reads in words: whose sign-in failed, what was deleted, with its parts below', async ({
  open,
  api,
  project,
}) => {
  await api('member', 'POST', `/v1/instances?project=${project}`, {
    name: 'buoy',
    description: '',
    ncpus: 1,
    memory: 2 ** 30,
    hostname: 'buoy',
    start: false,
    network_interfaces: { type: 'default' },
  })
  await api('member', 'DELETE', `/v1/instances/buoy?project=${project}`)
  await api('member', 'POST', '/v1/login/demo/local', { username: 'buoy-keeper', password: 'wrong' }).catch(
    () => undefined,
  )
  const page = await open('admin', '/system/audit-log')
  await expect(row(page, 'Login local').filter({ hasText: 'buoy-kee…' }).first()).toContainText(
    'No such user',
  )

  await page
    .getByRole('searchbox', { name: 'Operation' })
    .or(page.getByLabel('Operation'))
    .fill('Instance delete')
  await page.getByRole('searchbox', { name: 'Object name or ID' }).fill('Deleted instance buoy')
  await page.keyboard.press('Enter')
  const deleted = row(page, 'Instance delete').first()
  await expect(deleted).toContainText('Deleted instance buoy and')
  await expect(row(page, 'Instance create')).toHaveCount(0)
  await deleted.getByRole('link').first().click()
  const panel = page.getByRole('dialog', { name: 'Instance delete' })
  await expect(panel).toContainText(/Duration\s*(< )?[\d.,]+ s/)
  const changes = panel.getByRole('region', { name: 'Changes' })
  await expect(changes.getByText('Deleted instance buoy')).toBeVisible()
  const part = changes.getByText('Deleted network interface net0')
  await expect(part).toBeHidden()
  await changes.getByText(/parts changed with it/).click()
  await expect(part).toBeVisible()
  await expect(changes).toContainText(/([0-9A-F]{2}:){5}[0-9A-F]{2}/)
})
