import {
  choose,
  confirm,
  menuItem,
  notifications,
  openRowMenu,
  row,
  rowAction,
  visit,
} from '../support/steps.ts'
import { expect, test } from '../support/test.ts'

const group = (name: string) => ({ name, description: '', policy: 'fail', failure_domain: 'sled' })

test('an instance joins a group while stopped, and leaves it in any state', async ({
  open,
  project,
  machine,
  api,
}) => {
  await machine('box')
  const page = await open('member', `/projects/${project}/instances/box/storage`)
  await page.getByRole('tab', { name: 'Storage' }).focus()
  await page.keyboard.press('End')
  await expect(page).toHaveURL(/\/box\/settings$/)
  await expect(page).toHaveTitle(/^Settings \/ box \/ Instances \//)
  await expect(page.getByText('No anti-affinity groups')).toBeVisible()
  const add = page.getByRole('button', { name: 'Add to group' })
  await expect(add).toHaveAccessibleDescription('Create an anti-affinity group in this project first')

  // A group created by another user is listed at once.
  await api('member', 'POST', `/v1/anti-affinity-groups?project=${project}`, group('pair'))
  await expect(add).toBeEnabled()
  await add.click()
  const dialog = page.getByRole('dialog', { name: 'Add to anti-affinity group' })
  await dialog.getByRole('button', { name: 'Add to group' }).click()
  await expect(dialog.getByRole('combobox')).toHaveAccessibleDescription('Anti-affinity group is required')
  await choose(page, 'Anti-affinity group', /pair/)
  await dialog.getByRole('button', { name: 'Add to group' }).click()
  await expect(notifications(page)).toContainText('Member box added to anti-affinity group pair')
  await expect(row(page, 'pair')).toContainText('fail')
  await expect(add).toHaveAccessibleDescription('The instance is already in every group in this project')

  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await confirm(page)
  await expect(page.getByText('Running', { exact: true }).first()).toBeVisible({ timeout: 15_000 })
  await expect(add).toHaveAccessibleDescription(
    'The instance must be stopped before it can be added to a group',
  )
  await openRowMenu(page, 'pair')
  await expect(menuItem(page, 'Copy group ID')).toBeVisible()
  await menuItem(page, 'Remove instance from group').click()
  await expect(page.getByRole('dialog', { name: 'Remove instance from group' })).toContainText('pair')
  await confirm(page)
  await expect(notifications(page)).toContainText('Member box removed from anti-affinity group pair')
  await expect(page.getByText('No anti-affinity groups')).toBeVisible()
})

test('the CPU platform is chosen with a new instance, and changed while it is stopped', async ({
  open,
  project,
  machine,
}) => {
  await machine('box')
  const page = await open('member', `/projects/${project}/instances/box/settings`)
  const card = page.getByRole('region', { name: 'CPU platform' })
  const save = card.getByRole('button', { name: 'Save' })
  await expect(save).toHaveAccessibleDescription('The platform has not been changed')
  await card.getByLabel('Platform').selectOption('AMD Turin v2')
  await save.click()
  await expect(notifications(page)).toContainText('Instance CPU platform updated')
  await expect(save).toHaveAccessibleDescription('The platform has not been changed')
  await visit(page, `/projects/${project}/instances-new?from=box`)
  await page.getByText('Configuration', { exact: true }).click()
  await expect(page.getByRole('radio', { name: 'AMD Turin v2' })).toBeChecked()
})

test('an operator allows jumbo frames, and a member asks for them', async ({ open, project, machine }) => {
  await machine('box')
  const page = await open('member', `/projects/${project}/instances/box/settings`)
  const frames = page.getByRole('region', { name: 'Frames' })
  const ask = async () => {
    await frames.getByLabel('Size').selectOption('Jumbo, 8,500 bytes')
    await frames.getByRole('button', { name: 'Save' }).click()
  }
  await ask()
  await expect(notifications(page)).toContainText('Ask an operator to allow them')

  const fabric = await open('admin', '/system/networking/fabric')
  const setting = fabric.getByRole('region', { name: 'Jumbo frames' })
  await setting.getByRole('button', { name: 'Allow jumbo frames' }).click()
  await expect(setting).toContainText('Instances may have frames of 8,500 bytes')
  await frames.getByRole('button', { name: 'Save' }).click()
  await expect(notifications(page)).toContainText('Instance size of frames updated')
  await page.reload()
  await expect(frames.getByLabel('Size')).toHaveValue('on')
  await setting.getByRole('button', { name: 'Forbid jumbo frames' }).click()
  await expect(setting).toContainText('frames of the usual size')
})

test('changing the auto-restart policy changes nothing else', async ({ open, project, machine, api }) => {
  const { id } = await machine('frail', { ncpus: 3, auto_restart_policy: 'never' })
  const view = `/v1/instances/frail?project=${project}`
  const before = (await api('member', 'GET', view)) as Record<string, unknown>
  await api('member', 'POST', `/v1/instances/frail/start?project=${project}`)
  const page = await open('member', `/projects/${project}/instances/frail/storage`)
  await expect(page.getByText('Running', { exact: true }).first()).toBeVisible({ timeout: 15_000 })
  await api('admin', 'POST', '/ext/v1/faults', { kind: 'vm_crash', instance_id: id })
  await expect(page.getByText('Failed', { exact: true }).first()).toBeVisible({ timeout: 15_000 })

  // The status popover links to the policy.
  await page.getByRole('button', { name: 'Auto-restart status' }).click()
  const status = page.getByRole('dialog', { name: 'Auto-restart status' })
  await expect(status).toContainText('Disabled')
  await status.getByRole('link', { name: 'never' }).click()
  await expect(status).toBeHidden()
  await expect(page).toHaveURL(/\/frail\/settings$/)

  const card = page.getByRole('region', { name: 'Auto-restart' })
  await expect(card).toContainText(/Cooldown expiration.*N\/A/)
  await expect(card).toContainText(/Last auto-restarted.*N\/A/)
  const policy = card.getByLabel('Policy')
  const save = card.getByRole('button', { name: 'Save' })
  await expect(policy).toHaveValue('never')
  await expect(save).toHaveAccessibleDescription('The policy has not been changed')
  await policy.selectOption('Default')
  await expect(save).toBeEnabled()

  // Leaving with an unsaved selection asks for confirmation.
  await page.getByRole('tab', { name: 'Storage' }).click()
  await page.getByRole('button', { name: 'Keep editing' }).click()
  await expect(policy).toHaveValue('default')
  await policy.selectOption('Best effort')
  await save.click()
  await expect(notifications(page)).toContainText('Instance auto-restart policy updated')
  await expect(policy).toHaveValue('best_effort')
  const after = (await api('member', 'GET', view)) as Record<string, unknown>
  expect(after).toMatchObject({
    auto_restart_policy: 'best_effort',
    ncpus: 3,
    boot_disk_id: before.boot_disk_id,
  })

  await expect(card).toContainText('N/A (restarting soon)')
})

test('a failed instance restarts automatically, followed by a cooldown', async ({
  open,
  project,
  machine,
  api,
}) => {
  const { id } = await machine('again', { start: true })
  const page = await open('member', `/projects/${project}/instances/again/settings`)
  const card = page.getByRole('region', { name: 'Auto-restart' })
  await expect(page.getByText('Running', { exact: true }).first()).toBeVisible({ timeout: 15_000 })
  await expect(card.getByText('N/A', { exact: true })).toHaveCount(2)
  await api('admin', 'POST', '/ext/v1/faults', { kind: 'vm_crash', instance_id: id })
  await expect(card.getByText('N/A', { exact: true })).toHaveCount(0, { timeout: 30_000 })
  await expect(page.getByText('Running', { exact: true }).first()).toBeVisible({ timeout: 15_000 })

  await api('admin', 'POST', '/ext/v1/faults', { kind: 'vm_crash', instance_id: id })
  await expect(page.getByText('Failed', { exact: true }).first()).toBeVisible({ timeout: 15_000 })
  await expect(card).toContainText(/\((1 hour|\d\d minutes)\)/)
  await page.getByRole('button', { name: 'Auto-restart status' }).click()
  await expect(page.getByRole('dialog', { name: 'Auto-restart status' })).toContainText(/Waiting \(/)
})

test('a viewer sees the settings, and why they are read-only', async ({ open, project, machine, api }) => {
  await api('member', 'POST', `/v1/anti-affinity-groups?project=${project}`, group('pair'))
  await machine('box', { anti_affinity_groups: ['pair'] })
  const page = await open('viewer', `/projects/${project}/instances/box/settings`)
  await expect(page.getByRole('button', { name: 'Add to group' })).toHaveAccessibleDescription(/role/i)
  await openRowMenu(page, 'pair')
  await expect(menuItem(page, 'Remove instance from group')).toHaveAccessibleDescription(/role/i)
  await page.keyboard.press('Escape')
  await page.getByLabel('Policy').selectOption('Never')
  for (const save of await page.getByRole('button', { name: 'Save' }).all())
    await expect(save).toHaveAccessibleDescription(/role/i)
})

test('the Connect tab says how to open a shell', async ({ open, project, machine }) => {
  await machine('shut', { external_ips: [] })
  const page = await open('viewer', `/projects/${project}/instances/shut/connect`)
  await expect(page.getByText('ssh [username]@[external IP]')).toBeVisible()
  await page.getByRole('button', { name: 'CLI Command' }).click()
  await expect(page.getByRole('dialog', { name: 'CLI command' })).toContainText(
    '/v1/instances/shut/serial-console',
  )
  await page.getByRole('button', { name: 'Close' }).first().click()
  await page.getByRole('link', { name: 'networking tab' }).click()
  await expect(page).toHaveURL(/\/shut\/networking$/)
  await page.getByRole('tab', { name: 'Connect' }).click()
  await page.getByRole('tabpanel').getByRole('link', { name: 'Connect' }).click()
  await expect(page).toHaveURL(/\/shut\/serial-console$/)

  await machine('open', { external_ips: [{ type: 'ephemeral' }] })
  await visit(page, page.url().replace(/shut.*/, 'open/connect'))
  await expect(page.getByText(/^ssh \[username\]@198\.51\.100\.\d+$/)).toBeVisible()
})

test('the current tab stays in view while the window narrows', async ({ open, project, machine }) => {
  await machine('box')
  const page = await open('member', `/projects/${project}/instances/box/settings`)
  const tab = page.getByRole('tab', { name: 'Settings' })
  await expect(tab).toBeInViewport({ ratio: 1 })
  await page.setViewportSize({ width: 320, height: 1400 })
  await expect(tab).toBeInViewport({ ratio: 1 })
  await expect(page.getByRole('tab', { name: 'Storage' })).not.toBeInViewport({ ratio: 1 })
})

test('a size and a boot disk for the next start are listed, taken back, and in force after it', async ({
  open,
  project,
  machine,
}) => {
  await machine('later', {
    start: true,
    disks: [
      {
        type: 'create',
        name: 'later-data',
        description: '',
        size: 1024 ** 3,
        disk_source: { type: 'blank', block_size: 512 },
      },
    ],
  })
  const page = await open('member', `/projects/${project}/instances/later/storage`)
  await expect(page.getByText('Running', { exact: true }).first()).toBeVisible({ timeout: 15_000 })
  await page.getByRole('button', { name: 'Instance actions' }).click()
  await menuItem(page, 'Resize').click()
  const dialog = page.getByRole('dialog', { name: 'Resize instance' })
  await expect(dialog).toContainText('from its next start on')
  await dialog.getByLabel('vCPUs').fill('4')
  await dialog.getByRole('button', { name: 'Resize at next start' }).click()
  await expect(notifications(page)).toContainText('Instance later is resized with its next start')
  const pending = page.getByText('Changes with the next start').locator('..')
  await expect(pending).toContainText(/vCPUs: \d+ → 4/)

  await rowAction(page, 'later-data', 'Set as boot disk')
  await expect(page.getByRole('dialog')).toContainText('with the next start of the instance')
  await confirm(page)
  await expect(pending).toContainText('Boot disk: later-boot → later-data')
  await pending.getByRole('button', { name: 'Take back: Boot disk' }).click()
  await expect(notifications(page)).toContainText('Boot disk stays as it is')
  await expect(pending).not.toContainText('Boot disk')

  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await confirm(page)
  await expect(page.getByText('Stopped', { exact: true }).first()).toBeVisible({ timeout: 15_000 })
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await confirm(page)
  await expect(page.getByText('Running', { exact: true }).first()).toBeVisible({ timeout: 15_000 })
  await expect(pending).toHaveCount(0)
  await expect(page.getByText('4 vCPUs').first()).toBeVisible()
})
