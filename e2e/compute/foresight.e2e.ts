import { choose, menuItem, notifications, visit } from '../support/steps.ts'
import { expect, test } from '../support/test.ts'
import { notOn } from '../support/target.ts'

const GiB = 1024 ** 3

test('the create form shows by how much a quota is exceeded, and creates the instance stopped', async ({
  open,
  project,
}) => {
  const page = await open('member', `/projects/${project}/instances-new`)
  const capacity = page.getByRole('complementary', { name: 'Capacity' })
  await expect(capacity).toContainText(/Fits now on \d+ of \d+ sleds/)
  await expect(page.getByText(/over the quota/)).toBeHidden()

  await page.getByLabel('Name', { exact: true }).fill('giant')
  await page.getByRole('radio', { name: 'Custom' }).click()
  await page.getByLabel('Memory (GiB)').fill('1536')
  await expect(page.getByText(/GiB of memory over the quota/)).toHaveCount(1)
  await expect(capacity).toContainText('The instance would not be created')
  await expect(page.getByText('Fits now')).toHaveCount(0)
  await expect(capacity).toContainText('Could not find any valid sled')
  await expect(capacity).toContainText(/8 sleds: not enough free memory/)

  await capacity.getByRole('button', { name: 'Create without starting' }).click()
  await expect(page.getByLabel('Start instance')).not.toBeChecked()
  await expect(page.getByText('would not be created')).toHaveCount(0)
  await expect(capacity).toContainText('The instance could not start now')
  await choose(page, 'Image', /^alpine-3-22/)
  await page.getByRole('button', { name: 'Create instance' }).click()
  await expect(notifications(page)).toContainText('Instance giant created')
  await expect(page.getByText('Stopped', { exact: true }).first()).toBeVisible()
})

test('a shortage of sled capacity is one verdict, in the create form and when resizing', async ({
  open,
  project,
  machine,
}) => {
  for (const number of [1, 2, 3, 4]) await machine(`hog-${number}`, { ncpus: 60, memory: GiB, start: true })
  await machine('small')
  const page = await open('member', `/projects/${project}/instances-new`)
  await page.getByRole('radio', { name: 'Custom' }).first().click()
  await page.getByLabel('CPUs', { exact: true }).fill('60')
  const capacity = page.getByRole('complementary', { name: 'Capacity' })
  await expect(capacity).toContainText('The instance would not be created')
  await expect(capacity).toContainText(/\d+ vCPU over the quota\./)
  await expect(page.getByText('Fits now')).toHaveCount(0)

  await visit(page, `/projects/${project}/instances/small`)
  await page.getByRole('button', { name: 'Instance actions' }).click()
  await menuItem(page, 'Resize').click()
  const dialog = page.getByRole('dialog', { name: 'Resize instance' })
  await dialog.getByLabel('vCPUs').fill('60')
  await expect(dialog.getByText('The instance could not start now')).toBeVisible()
  await expect(dialog.getByText(/\d+ vCPU over the quota\./)).toBeVisible()
  await expect(dialog.getByText('Fits now')).toHaveCount(0)
  await dialog.getByLabel('vCPUs').fill('1')
  await expect(dialog.getByText(/Fits now on \d+ of \d+ sleds and within the quota/)).toBeVisible()
})

test('invalid sizes are reported at their fields and not evaluated', async ({ open, project }) => {
  const page = await open('member', `/projects/${project}/instances-new`)
  const capacity = page.getByRole('complementary', { name: 'Capacity' })
  await expect(capacity).toBeVisible()
  await page.getByRole('radio', { name: 'Custom' }).click()
  await page.getByLabel('CPUs').fill('999')
  await expect(capacity).toBeHidden()
  await page.getByLabel('CPUs').fill('4')
  await expect(capacity).toBeVisible()
})

test(
  'the create form works on a server without capacity checks',
  notOn({ preview: 'mocks responses of the control plane, which runs in the page' }),
  async ({ open, project }) => {
    const page = await open('member', `/projects/${project}/instances`)
    await page.route('**/ext/v1/placement-checks*', (route) =>
      route.fulfill({ status: 404, body: 'no such page' }),
    )
    await page.getByRole('link', { name: 'New instance', exact: true }).first().click()
    await expect(page.getByRole('complementary', { name: 'Quota headroom' })).toBeVisible()
    await page.getByLabel('Name', { exact: true }).fill('plainly')
    await choose(page, 'Image', /^alpine-3-22/)
    await expect(page.getByRole('complementary', { name: 'Capacity' })).toBeHidden()
    await page.getByRole('button', { name: 'Create instance' }).click()
    await expect(page.getByRole('heading', { name: 'plainly' })).toBeVisible()
  },
)

test('a picker with a thousand disks shows a part, and finds any by substring', async ({
  open,
  project,
  api,
}) => {
  // A thousand disks take a minute or two to create.
  test.setTimeout(360_000)
  const names = Array.from({ length: 1001 }, (_, index) => `disk-${String(index + 1).padStart(4, '0')}`)
  const make = async () => {
    for (let name = names.shift(); name; name = names.shift())
      await api('member', 'POST', `/v1/disks?project=${project}`, {
        name,
        description: '',
        size: GiB,
        disk_source: { type: 'blank', block_size: 512 },
      })
  }
  await Promise.all(Array.from({ length: 8 }, make))

  const page = await open('member', `/projects/${project}/instances-new`)
  await page.getByText('Existing disks').click()
  const field = page.getByRole('combobox', { name: 'Disk', exact: true })
  await field.click()
  await expect(page.getByRole('option')).toHaveCount(100)
  await expect(page.getByText('901 more. Type to find them.')).toBeVisible()
  // Also finds a disk beyond the thousandth.
  await field.fill('k-1001')
  await expect(page.getByRole('option')).toHaveCount(1)
  await page.getByRole('option', { name: /^disk-1001/ }).click()
  await expect(field).toHaveValue('disk-1001')

  await page.getByRole('button', { name: 'Attach existing disk' }).click()
  const dialog = page.getByRole('dialog', { name: 'Attach disk' })
  await dialog.getByRole('combobox').fill('disk-05')
  await expect(dialog.getByRole('option')).toHaveCount(100)
  await dialog.getByRole('combobox').fill('disk-055')
  await expect(dialog.getByRole('option')).toHaveCount(10)
})
