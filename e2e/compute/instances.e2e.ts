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
import { scenesIn, withMemory } from '../support/scenes.ts'
import { story } from '../support/target.ts'
import { expect, test } from '../support/test.ts'

const GiB = 1024 ** 3

test(
  'a user starts, reboots, stops, resizes and deletes an instance, and unavailable actions say why',
  story,
  async ({ open, project, machine }) => {
    await machine('worker')
    const page = await open('member', `/projects/${project}/instances`)
    const state = row(page, 'worker')

    await openRowMenu(page, 'worker')
    await expect(menuItem(page, 'Stop')).toBeDisabled()
    await expect(menuItem(page, 'Stop')).toHaveAccessibleDescription('Only available when running')
    await expect(menuItem(page, 'Reboot')).toHaveAccessibleDescription(/running/)
    await menuItem(page, 'Start').click()
    await expect(page.getByRole('dialog', { name: 'Confirm start instance' })).toContainText('worker')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(state).toContainText('Stopped')

    // One page needs no pager.
    await expect(page.getByRole('navigation', { name: 'Pagination' })).toHaveCount(0)

    await rowAction(page, 'worker', 'Start')
    await confirm(page)
    await expect(notifications(page)).toContainText('Starting instance worker')
    await expect(state).toContainText('Running', { timeout: 15_000 })

    await openRowMenu(page, 'worker')
    await expect(menuItem(page, 'Start')).toBeDisabled()
    await expect(menuItem(page, 'Resize')).toBeEnabled()
    await expect(menuItem(page, 'Delete')).toHaveAccessibleDescription(/Stop the instance first/)
    await menuItem(page, 'Reboot').click()
    await confirm(page)
    await expect(notifications(page)).toContainText('Rebooting instance worker')
    await expect(state).toContainText('Rebooting')
    await expect(state).toContainText('Running', { timeout: 15_000 })

    await rowAction(page, 'worker', 'Stop')
    await expect(page.getByRole('dialog')).toContainText('CPU and memory become free')
    await confirm(page)
    await expect(state).toContainText('Stopped', { timeout: 15_000 })

    await rowAction(page, 'worker', 'Resize')
    const dialog = page.getByRole('dialog', { name: 'Resize instance' })
    const resize = dialog.getByRole('button', { name: 'Resize' })
    await expect(dialog).toContainText('2 vCPUs / 2 GiB')
    await expect(resize).toHaveAccessibleDescription('Nothing has changed yet')
    await dialog.getByLabel('vCPUs').fill('99')
    await expect(dialog.getByLabel('vCPUs')).toHaveAccessibleDescription('Can be at most 64 vCPUs')
    await dialog.getByLabel('vCPUs').fill('3')
    await resize.click()
    await expect(notifications(page)).toContainText('Instance worker resized')
    await expect(notifications(page).getByRole('link', { name: 'View instance' })).toBeVisible()
    await expect(state).toContainText('3 vCPUs')

    await rowAction(page, 'worker', 'Delete')
    await expect(page.getByRole('dialog')).toContainText('detached, not deleted')
    await confirm(page)
    await expect(notifications(page)).toContainText('Deleting instance worker')
    await expect(page.getByText('No instances')).toBeVisible()
  },
)

test('a group that is deleted while the form is open is no longer chosen', async ({ open, project, api }) => {
  const path = `/v1/anti-affinity-groups?project=${project}`
  for (const name of ['apart', 'stays'])
    await api('member', 'POST', path, { name, description: '', policy: 'fail', failure_domain: 'sled' })
  const page = await open('member', `/projects/${project}/instances-new`)
  await page.getByLabel('Name', { exact: true }).fill('lone')
  await choose(page, 'Image', /alpine-3-22/)
  const group = page.getByRole('checkbox', { name: /^apart/ })
  await group.check()
  await api('member', 'DELETE', path.replace('?', '/apart?'))
  await expect(group).toHaveCount(0)
  await page.getByRole('button', { name: 'Create instance' }).click()
  await expect(page.getByRole('heading', { name: 'lone' })).toBeVisible()
})

test('an image or disk that is deleted while the form is open is no longer selected', async ({
  open,
  project,
  api,
}) => {
  const scenes = scenesIn(api, project)
  await scenes.disk('old')
  const snapshot = await scenes.snapshot('copy', 'old')
  for (const name of ['gone', 'stays']) {
    await scenes.disk(name)
    await scenes.image(name, snapshot.id)
  }
  const remove = (kind: string) => api('member', 'DELETE', `/v1/${kind}/gone?project=${project}`)
  const page = await open('member', `/projects/${project}/instances-new`)
  await page.getByRole('radio', { name: 'Project images' }).click()
  await choose(page, 'Image', /^gone/)
  await remove('images')
  await expect(page.getByRole('combobox', { name: 'Image' })).toHaveValue('')
  await page.getByRole('radio', { name: 'Existing disks' }).click()
  await choose(page, 'Disk', /^gone/)
  await remove('disks')
  await expect(page.getByRole('combobox', { name: 'Disk' })).toHaveValue('')
})

test('an open menu keeps its focus while the state of its instance changes', async ({
  open,
  project,
  machine,
  api,
}) => {
  await machine('mover')
  const page = await open('member', `/projects/${project}/instances`)
  await openRowMenu(page, 'mover')
  await expect(menuItem(page, 'Stop')).toBeDisabled()
  await menuItem(page, 'Start').focus()
  await api('admin', 'POST', `/v1/instances/mover/start?project=${project}`)
  await expect(menuItem(page, 'Stop')).toBeEnabled()
  await expect(menuItem(page, 'Start')).toBeDisabled()
  await expect(menuItem(page, 'Start')).toBeFocused()
})

test('a viewer sees all actions, and why they are disabled', story, async ({ open, project, machine }) => {
  await machine('kept')
  const page = await open('viewer', `/projects/${project}/instances`)
  const create = page.getByRole('button', { name: /New instance/ }).first()
  await expect(create).toBeDisabled()
  await create.focus()
  await expect(page.getByRole('tooltip')).toContainText(/role/i)
  await openRowMenu(page, 'kept')
  await expect(menuItem(page, 'Start')).toHaveAccessibleDescription(/role/i)
  await expect(menuItem(page, 'Delete')).toBeDisabled()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'kept' }).click()
  await expect(page.getByRole('button', { name: 'Start', exact: true })).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Create disk' })).toBeDisabled()
  // A direct link still opens the form.
  await visit(page, page.url().replace(/instances\/.*/, 'instances-new'))
  await expect(page.getByRole('button', { name: 'Create instance' })).toBeDisabled()
})

test(
  'a user creates a custom-sized instance with a disk, a key and an address',
  story,
  async ({ open, project, api }) => {
    const page = await open('member', `/projects/${project}/instances-new`)
    const submit = page.getByRole('button', { name: 'Create instance' })
    await submit.click()
    await expect(page.getByLabel('Name', { exact: true })).toHaveAccessibleDescription(/Name is required/)
    await expect(page.getByRole('combobox', { name: 'Image' })).toHaveAccessibleDescription(
      /Image is required/,
    )
    await page.getByLabel('Name', { exact: true }).fill('made')

    await page.getByRole('radio', { name: 'High CPU' }).click()
    await expect(page.getByRole('radio', { name: /^2 CPU 4 gibibytes/ })).toBeChecked()
    await page.getByRole('radio', { name: 'Custom' }).first().click()
    const cpus = page.getByLabel('CPUs', { exact: true })
    const memory = page.getByRole('spinbutton', { name: 'Memory' })
    await cpus.fill('999')
    await memory.fill('9999')
    await submit.click()
    await expect(cpus).toHaveAccessibleDescription('Can be at most 64 vCPUs')
    await expect(memory).toHaveAccessibleDescription('Can be at most 1536 GiB')
    await expect(cpus).toHaveValue('999')
    await cpus.fill('3')
    await memory.fill('5')

    // The size grows to fit an image, and stays when a smaller image is selected.
    const size = page.getByLabel('Disk size')
    await size.fill('3')
    await choose(page, 'Image', /fedora-43/)
    await expect(size).toHaveValue('10')
    await choose(page, 'Image', /alpine-3-22/)
    await expect(size).toHaveValue('10')
    await choose(page, 'Image', /fedora-43/)
    await size.fill('2')
    await size.blur()
    await expect(size).toHaveAccessibleDescription(/at least 5 GiB|5 GiB/)
    await expect(size).toHaveValue('2')
    await size.fill('5')
    await page.getByLabel('Disk name').fill('made-boot')

    await page.getByRole('button', { name: 'Create new disk' }).click()
    const disk = page.getByRole('dialog', { name: 'Create disk' })
    await disk.getByLabel('Name', { exact: true }).fill('made-boot')
    await disk.getByRole('button', { name: 'Create disk' }).click()
    await expect(disk.getByLabel('Name', { exact: true })).toHaveAccessibleDescription(
      'Name is already in use',
    )
    await disk.getByLabel('Name', { exact: true }).fill('made-data')
    await disk.getByRole('spinbutton', { name: 'Size' }).fill('7')
    await disk.getByRole('button', { name: 'Create disk' }).click()
    await expect(page.getByRole('table', { name: 'Disks' })).toContainText('made-data')

    const keyName = `key-${project.slice(-6)}`
    await page.getByRole('button', { name: 'Add SSH key' }).click()
    const key = page.getByRole('dialog', { name: 'Add SSH key' })
    await key.getByLabel('Name', { exact: true }).fill(keyName)
    await key.getByRole('button', { name: 'Add SSH key' }).click()
    await expect(key.getByLabel('Public key')).toHaveAccessibleDescription('Public key is required')
    await key
      .getByLabel('Public key')
      .fill('ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ2B1x0d5c5vJ1o0m1b2c3d4e5f6g7h8i9j0k1l2m3n4 ada@desk')
    await key.getByRole('button', { name: 'Add SSH key' }).click()
    await expect(page.getByLabel(keyName)).not.toBeChecked()
    await page.getByLabel(keyName).check()

    await page.getByText('Networking', { exact: true }).click()
    await expect(page.getByLabel('Allocate and attach an ephemeral IP address')).toBeChecked()
    await page.getByLabel('Hostname').fill('-bad-')
    await submit.click()
    await expect(page.getByLabel('Hostname')).toHaveAttribute('aria-invalid', 'true')
    await page.getByLabel('Hostname').fill('made.example')
    await submit.click()

    await expect(page.getByRole('heading', { name: 'made' })).toBeVisible()
    await expect(notifications(page)).toContainText('Instance made created')
    await expect(page.getByRole('link', { name: /^198\.51\.100\./ })).toBeVisible()
    await expect(page.getByText('made.example')).toBeVisible()
    await expect(page.getByRole('table', { name: 'Boot disk' })).toContainText('made-boot')
    await expect(page.getByRole('table', { name: 'Additional disks' })).toContainText('made-data')
    await expect(page.getByText('Running', { exact: true }).first()).toBeVisible({ timeout: 15_000 })
    const keys = (await api('member', 'GET', `/v1/instances/made/ssh-public-keys?project=${project}`)) as {
      items: { name: string }[]
    }
    expect(keys.items.map(({ name }) => name)).toContain(keyName)

    // A taken name is refused at its field.
    await visit(page, page.url().replace(/instances\/.*/, 'instances-new'))
    await page.getByLabel('Name', { exact: true }).fill('made')
    await choose(page, 'Image', /alpine-3-22/)
    await submit.click()
    await expect(page.getByLabel('Name', { exact: true })).toHaveAccessibleDescription(
      /Instance name already exists/,
    )
  },
)

test(
  'exceeding a quota is refused with what happened and what to do',
  story,
  async ({ open, project, machine, api }) => {
    // This test alone reserves it, and briefly, because tests on the same worker share the quota.
    for (const number of [1, 2, 3, 4]) await machine(`hog-${number}`, { ncpus: 60, memory: GiB, start: true })
    const page = await open('member', `/projects/${project}/instances-new`)
    await page.getByLabel('Name', { exact: true }).fill('too-much')
    await page.getByRole('radio', { name: 'Custom' }).first().click()
    await page.getByLabel('CPUs', { exact: true }).fill('60')
    await page.getByRole('spinbutton', { name: 'Memory' }).fill('2')
    await choose(page, 'Image', /alpine-3-22/)
    await expect(page.getByRole('complementary', { name: 'Quota headroom' })).toContainText(/vCPU over/)
    await page.getByRole('button', { name: 'Create instance' }).click()

    // Nothing is created, and everything that was typed is kept.
    await expect(page.getByText(/vCPU quota exceeded: needs 60 vCPUs, \d+ vCPUs? left\./)).toBeVisible()
    await expect(page.getByText(/Stop unused instances, or ask/)).toHaveCount(1)
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('too-much')
    await page.getByRole('button', { name: 'Create without starting' }).click()
    await page.getByRole('button', { name: 'Create instance' }).click()
    await expect(page.getByRole('heading', { name: 'too-much' })).toBeVisible()
    await expect(page.getByText('Stopped', { exact: true }).first()).toBeVisible()

    // Starting it is refused with the same message until there is room.
    await page.getByRole('button', { name: 'Start', exact: true }).click()
    await confirm(page)
    await expect(notifications(page)).toContainText('Error starting too-much')
    await expect(notifications(page)).toContainText(/vCPU quota exceeded/)
    for (const number of [1, 2, 3, 4])
      await api('member', 'POST', `/v1/instances/hog-${number}/stop?project=${project}`)
    await expect
      .poll(
        async () =>
          ((await api('member', 'GET', '/v1/utilization')) as { provisioned: { cpus: number } }).provisioned
            .cpus,
        { timeout: 45_000 },
      )
      .toBeLessThan(190)
    await page.getByRole('button', { name: 'Start', exact: true }).click()
    await confirm(page)
    await expect(page.getByText('Running', { exact: true }).first()).toBeVisible({ timeout: 20_000 })
    await api('member', 'POST', `/v1/instances/too-much/stop?project=${project}`)
  },
)

test('a failed instance shows why in the list, and a refused start links to the instance', async ({
  open,
  project,
  machine,
  api,
}) => {
  await withMemory(api, () => machine('giant', { memory: 1536 * 1024 ** 3, start: true }))
  const page = await open('member', `/projects/${project}/instances`)
  const state = row(page, 'giant').getByRole('button', { name: 'Failed' })
  await expect(state).toHaveAccessibleDescription(/Could not find any valid sled/)
  await state.hover()
  await expect(page.getByRole('tooltip').filter({ hasText: 'Could not find any valid sled' })).toBeVisible()

  await rowAction(page, 'giant', 'Start')
  await confirm(page)
  await expect(notifications(page)).toContainText('Error starting giant')
  await expect(notifications(page)).toContainText('Could not find any valid sled')
  await notifications(page).getByRole('link', { name: 'View instance' }).click()
  await expect(page.getByRole('heading', { name: 'giant', exact: true })).toBeVisible()
  await expect(page.getByText('This instance has failed')).toBeVisible()
})

test('a create form tells a viewer up front that it cannot be submitted', async ({ open, project }) => {
  const viewer = await open('viewer', `/projects/${project}/instances-new`)
  await expect(viewer.getByText('You cannot submit this form')).toBeVisible()
  const create = viewer.getByRole('button', { name: 'Create instance' })
  await expect(create).toBeDisabled()
  const reason = await create.evaluate(
    (button) => document.getElementById(button.getAttribute('aria-describedby') ?? '')?.textContent,
  )
  expect(reason).toBeTruthy()
  await expect(viewer.getByRole('main').getByText(`${reason}.`)).toBeVisible()

  await visit(viewer, `/projects/${project}/disks-new`)
  const dialog = viewer.getByRole('dialog', { name: 'Create disk' })
  await expect(dialog.getByText('You cannot submit this form')).toBeVisible()

  const member = await open('member', `/projects/${project}/instances-new`)
  await expect(member.getByLabel('Name', { exact: true })).toBeFocused()
  await expect(member.getByText('You cannot submit this form')).toHaveCount(0)
})

test('a form says which additional disk has a taken name, and can be sent without it', async ({
  open,
  project,
  api,
}) => {
  const disk = (name: string) =>
    api('member', 'POST', `/v1/disks?project=${project}`, {
      name,
      description: '',
      size: GiB,
      disk_source: { type: 'blank', block_size: 512 },
    })
  await disk('boot')
  const page = await open('member', `/projects/${project}/instances-new`)
  await page.getByLabel('Name', { exact: true }).fill('web')
  await page.getByRole('radio', { name: 'Existing disks' }).click()
  await choose(page, 'Disk', /^boot/)
  await page.getByRole('button', { name: 'Create new disk' }).click()
  const form = page.getByRole('dialog', { name: 'Create disk' })
  await form.getByLabel('Name', { exact: true }).fill('data')
  await form.getByRole('button', { name: 'Create disk' }).click()
  await disk('data')
  const submit = page.getByRole('button', { name: 'Create instance' })
  await submit.click()
  await expect(page.getByRole('alert')).toContainText('Disk name already exists')
  await expect(page.getByRole('alert')).toContainText('Remove disk data')
  await page.getByRole('button', { name: 'Remove disk data' }).click()
  await submit.click()
  await expect(page.getByRole('heading', { name: 'web', exact: true })).toBeVisible()
})
