import { password, story } from '../support/target.ts'
import { press, tabTo } from '../support/keys.ts'
import { notifications, row, visit } from '../support/steps.ts'
import { expect } from '../support/test.ts'
import { MiB } from '../support/image-file.ts'
import { form as uploadForm, progress, steps, submit, test } from '../support/upload-steps.ts'

test(
  'the instance lifecycle works by keyboard alone, with the focus always visible',
  story,
  async ({ project, open }) => {
    test.setTimeout(120_000)
    const page = await open('nobody', '/')
    await press(page, page.getByRole('button', { name: /^demo\b/ }))
    await tabTo(page, page.getByLabel('Username'))
    await page.keyboard.type('member')
    await tabTo(page, page.getByLabel('Password', { exact: true }))
    await page.keyboard.type(`${password}\n`)

    await expect(page.getByRole('heading', { name: 'Projects', exact: true })).toBeVisible()
    await press(page, page.getByRole('link', { name: project }))
    await expect(page.getByText('No instances')).toBeVisible()
    await press(page, page.getByRole('link', { name: 'New instance', exact: true }).first())

    await tabTo(page, page.getByLabel('Name', { exact: true }))
    await page.keyboard.type('by-hand')
    // Arrow keys select presets, and typing filters the picker.
    await tabTo(page, page.getByRole('radio', { name: /^2 CPU/ }))
    await page.keyboard.press('ArrowRight')
    await expect(page.getByRole('radio', { name: /^4 CPU/ })).toBeChecked()
    await tabTo(page, page.getByRole('combobox', { name: 'Image' }))
    await page.keyboard.type('alp')
    await expect(page.getByRole('option')).toHaveCount(1)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('combobox', { name: 'Image' })).toHaveValue('alpine-3-22')
    await press(page, page.getByRole('button', { name: 'Create instance' }))

    await expect(page.getByRole('heading', { name: 'by-hand' })).toBeVisible()
    await expect(page.getByText('Running', { exact: true }).first()).toBeVisible({ timeout: 15_000 })
    await press(page, page.getByRole('button', { name: 'Instance actions' }))
    await page.keyboard.type('view')
    await expect(page.getByRole('menuitem', { name: 'View serial console' })).toBeFocused()
    await page.keyboard.press('Enter')

    // The terminal has the focus as soon as it is connected.
    const terminal = page.getByRole('application')
    await expect(terminal).toContainText('by-hand login:', { timeout: 20_000 })
    await page.keyboard.type('ada\n')
    await expect(terminal).toContainText('Password:')
    await page.keyboard.type('secret\n')
    await expect(terminal).toContainText('ada@by-hand')
    await page.keyboard.type('nproc\n')
    await expect(terminal).toContainText(/nproc\s*4/)

    // The shell receives Tab; Shift+Tab leaves the terminal.
    await page.keyboard.press('Tab')
    await expect(terminal.getByRole('textbox')).toBeFocused()
    const back = page.getByRole('link', { name: /^Back to/ })
    await expect(async () => {
      await page.keyboard.press('Shift+Tab')
      await expect(back).toBeFocused({ timeout: 100 })
    }).toPass()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'by-hand', exact: true })).toBeVisible()

    const stop = page.getByRole('button', { name: 'Stop', exact: true })
    await press(page, stop)
    await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(stop).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await press(page, page.getByRole('button', { name: 'Confirm' }))
    await expect(page.getByText('Stopped', { exact: true }).first()).toBeVisible({ timeout: 15_000 })
    await expect(stop).toBeDisabled()
    await expect(stop).toBeFocused()
    await press(page, page.getByRole('button', { name: 'Instance actions' }))
    await expect(page.getByRole('menuitem', { name: 'Delete' })).toBeVisible()
    await page.keyboard.press('End')
    await expect(page.getByRole('menuitem', { name: 'Delete' })).toBeFocused()
    await page.keyboard.press('Enter')
    await press(page, page.getByRole('button', { name: 'Confirm' }))
    await expect(page.getByText('No instances')).toBeVisible()
  },
)

test('a button keeps the focus while it is disabled and enabled again', async ({
  open,
  project,
  machine,
  api,
}) => {
  await machine('mover')
  const page = await open('member', `/projects/${project}/instances/mover`)
  const start = page.getByRole('button', { name: 'Start', exact: true })
  await start.focus()
  await api('admin', 'POST', `/v1/instances/mover/start?project=${project}`)
  await expect(start).toBeDisabled()
  await expect(start).toBeFocused()
  await expect(start).toHaveAccessibleDescription(/./)
  await expect(page.getByRole('tooltip')).toBeVisible()
  await api('admin', 'POST', `/v1/instances/mover/stop?project=${project}`)
  await expect(start).toBeEnabled()
  await expect(start).toBeFocused()
  await expect(start).toHaveAccessibleDescription('')
  await expect(page.getByRole('tooltip')).toBeHidden()
})

test('a disk can be created, snapshotted and attached by keyboard alone', async ({
  open,
  project,
  machine,
  api,
}) => {
  await machine('holder')
  const page = await open('member', `/projects/${project}/disks`)
  await press(page, page.getByRole('link', { name: 'New disk', exact: true }).first())
  const form = page.getByRole('dialog', { name: 'Create disk' })
  await tabTo(page, form.getByLabel('Name', { exact: true }))
  await page.keyboard.type('by-key')
  await tabTo(page, form.getByLabel('Size (GiB)'))
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('3')
  await press(page, form.getByRole('button', { name: 'Create disk' }))
  await expect(row(page, 'by-key')).toContainText('3 GiB')

  await press(page, row(page, 'by-key').getByRole('button', { name: /^Actions for / }))
  await expect(page.getByRole('menuitem', { name: 'Snapshot' })).toBeVisible()
  await page.keyboard.type('snap')
  await expect(page.getByRole('menuitem', { name: 'Snapshot' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(notifications(page)).toContainText(/Snapshot by-key-[0-9a-f]{6} created/i)

  await press(page, page.getByRole('link', { name: 'Instances', exact: true }).first())
  await press(page, page.getByRole('link', { name: 'holder', exact: true }))
  await press(page, page.getByRole('button', { name: 'Attach existing disk' }))
  const dialog = page.getByRole('dialog', { name: 'Attach disk' })
  await tabTo(page, dialog.getByRole('combobox', { name: 'Disk name' }))
  await page.keyboard.type('by-k')
  await page.keyboard.press('Enter')
  await press(page, dialog.getByRole('button', { name: 'Attach disk' }))
  await expect(page.getByRole('table', { name: 'Additional disks' })).toContainText('by-key')
  const { items } = (await api('member', 'GET', `/v1/instances/holder/disks?project=${project}`)) as {
    items: { name: string }[]
  }
  expect(items.map(({ name }) => name)).toContain('by-key')
})

test('instances can be selected, stopped and sorted by keyboard alone', async ({
  open,
  project,
  machine,
}) => {
  await machine('key-1')
  await machine('key-2')
  const page = await open('member', `/projects/${project}/instances`)
  await press(page, page.getByRole('columnheader', { name: 'Name' }).getByRole('button'))
  await expect(page.locator('tbody tr').first()).toContainText('key-2')
  await tabTo(page, page.getByRole('checkbox', { name: 'Select key-2' }))
  await page.keyboard.press('Space')
  await tabTo(page, page.getByRole('checkbox', { name: 'Select key-1' }))
  await page.keyboard.press('Space')
  const bar = page.getByRole('toolbar', { name: 'Selected instances' })
  await expect(bar).toContainText('2 selected')
  // The bar precedes the table.
  await page.getByRole('button', { name: 'Clear selection' }).focus()
  for (let back = 0; back < 5; back++) await page.keyboard.press('Shift+Tab')
  await expect(bar.getByRole('button', { name: 'Start', exact: true })).toBeFocused()
  await page.keyboard.press('Enter')
  await press(page, page.getByRole('button', { name: 'Confirm' }))
  await expect(page.getByRole('heading', { name: 'Started 2 instances' })).toBeVisible({ timeout: 20_000 })

  // When the bar closes, the focus returns to the table.
  await tabTo(page, page.getByRole('checkbox', { name: 'Select key-1' }))
  await page.keyboard.press('Space')
  await page.getByRole('button', { name: 'Clear selection' }).press('Enter')
  await expect(bar).toBeHidden()
  await expect(page.getByRole('checkbox', { name: 'Select all on this page' })).toBeFocused()
})

test('clearing the filters moves the focus to the first of them', async ({ open, project, machine }) => {
  await machine('key-1')
  const page = await open('member', `/projects/${project}/instances`)
  const find = page.getByRole('combobox', { name: 'Filter instances' })
  const clear = page.getByRole('button', { name: 'Clear filters' })
  await find.fill('nothing')
  await expect(page.getByRole('status').filter({ hasText: 'Nothing matches' })).toHaveCount(1)
  for (const which of [clear.first(), clear.last()]) {
    await find.fill('nothing')
    await expect(clear).toHaveCount(2)
    await press(page, which)
    await expect(clear).toHaveCount(0)
    await expect(find).toBeFocused()
  }

  await visit(page, `/projects/${project}/instances`)
  await press(page, page.getByRole('button', { name: 'Dismiss' }))
  await expect(page.getByRole('main')).toBeFocused()
})

test('an image can be uploaded by keyboard alone', async ({ open, project, file }) => {
  const disc = file(9 * MiB)
  const page = await open('member', `/projects/${project}/images`)
  await press(page, page.getByRole('link', { name: 'Upload image', exact: true }).first())
  await expect(uploadForm(page).getByLabel('Name', { exact: true })).toBeFocused()
  await page.keyboard.type('by-key')
  await tabTo(page, uploadForm(page).getByLabel('OS', { exact: true }))
  await page.keyboard.type('Plan 9')
  await tabTo(page, uploadForm(page).getByLabel('Version'))
  await page.keyboard.type('4')
  // The browser's file dialog opens, which has its own keyboard support.
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    press(page, uploadForm(page).locator('input[type=file]')),
  ])
  await chooser.setFiles(disc.path)
  await press(page, submit(page))
  await expect(steps(page, 'complete')).toHaveCount(4, { timeout: 20_000 })
  await press(page, progress(page).getByRole('button', { name: 'Done' }))
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(row(page, 'by-key')).toContainText('9 MiB')
})

test('a firewall rule can be added by keyboard alone, and the focus returns to the button', async ({
  open,
  project,
}) => {
  const page = await open('member', `/projects/${project}/vpcs/default/firewall-rules`)
  const begin = page.getByRole('link', { name: 'New rule' })
  await press(page, begin)
  const form = page.getByRole('dialog', { name: 'Add firewall rule' })
  const first = form.getByRole('checkbox', { name: 'Enabled' })
  await expect(first).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(form).toBeHidden()
  await expect(begin).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(first).toBeFocused()
  await tabTo(page, form.getByLabel('Name', { exact: true }))
  await page.keyboard.type('by-key')
  await tabTo(page, form.getByLabel('Priority'))
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('70')
  const targets = form.getByRole('region', { name: 'Targets', exact: true })
  await tabTo(page, targets.getByRole('combobox', { name: 'VPC name' }))
  await page.keyboard.type('def')
  await page.keyboard.press('Enter')
  await press(page, targets.getByRole('button', { name: 'Add target' }))
  await expect(targets.getByRole('table', { name: 'Targets' })).toContainText('default')
  const ports = form.getByRole('textbox', { name: 'Port filters' })
  await tabTo(page, ports)
  await page.keyboard.type('443\n')
  const filters = form.getByRole('table', { name: 'Port filters' })
  await expect(filters).toContainText('443')
  // Removing keeps the focus in the list, and after its last item in the field.
  await page.keyboard.type('80\n')
  await press(page, filters.getByRole('button', { name: 'remove port 443' }))
  await expect(filters.getByRole('button', { name: 'remove port 80' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(filters).toBeHidden()
  await expect(ports).toBeFocused()
  await page.keyboard.type('443\n')
  await expect(filters).toContainText('443')
  await press(page, form.getByRole('button', { name: 'Add rule' }))
  await expect(notifications(page)).toContainText('Firewall rule by-key created')
  await expect(row(page, 'by-key')).toContainText('70')
  await expect(begin).toBeFocused()
})
