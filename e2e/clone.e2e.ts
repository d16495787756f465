import { choose, menuItem, notifications, openRowMenu, refresh } from './steps.ts'
import { expect, test } from './test.ts'

const GiB = 1024 ** 3

test('somebody makes one more instance like another, and learns what of it could not be taken over', async ({
  open,
  project,
  machine,
  api,
}) => {
  const images = (await api('member', 'GET', '/v1/images')) as { items: { id: string; name: string }[] }
  const image = images.items.find(({ name }) => name === 'alpine-3-22')
  const group = (await api('member', 'POST', `/v1/anti-affinity-groups?project=${project}`, {
    name: 'apart',
    description: '',
    policy: 'allow',
    failure_domain: 'sled',
  })) as { id: string }
  await machine('web', {
    description: 'serves pages',
    ncpus: 3,
    memory: 5 * GiB,
    hostname: 'web-inside',
    anti_affinity_groups: ['apart'],
    auto_restart_policy: 'never',
    boot_disk: {
      type: 'create',
      name: 'web-boot',
      description: '',
      size: 12 * GiB,
      disk_source: { type: 'image', image_id: image?.id },
    },
    disks: [
      {
        type: 'create',
        name: 'web-data',
        description: 'pages',
        size: 2 * GiB,
        disk_source: { type: 'blank', block_size: 4096 },
      },
    ],
  })

  const page = await open('member', `/projects/${project}/instances`)
  await openRowMenu(page, 'web')
  await menuItem(page, 'Clone').click()
  await expect(page).toHaveURL(/\/instances-new\?from=web$/)
  await expect(page.getByText('Prefilled from web')).toBeVisible()
  await expect(page.getByText(/^Hostname web-inside:/)).toBeVisible()
  await expect(page.getByText(/^User data: it cannot be read back/)).toBeVisible()
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('web-copy')
  await expect(page.getByLabel('CPUs')).toHaveValue('3')
  await expect(page.getByRole('combobox', { name: 'Image' })).toHaveValue('alpine-3-22')
  await expect(page.getByLabel('Disk size (GiB)')).toHaveValue('12')
  await expect(page.getByRole('table', { name: 'Disks' })).toContainText('web-data-copy')

  // A link to the form says all of it.
  await refresh(page)
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('web-copy')
  await page.getByRole('button', { name: 'Create instance' }).click()
  await expect(notifications(page)).toContainText('Instance web-copy created')
  await expect(page.getByRole('heading', { name: 'web-copy' })).toBeVisible()

  expect(await api('member', 'GET', `/v1/instances/web-copy?project=${project}`)).toMatchObject({
    description: 'serves pages',
    ncpus: 3,
    memory: 5 * GiB,
    hostname: 'web-copy',
    auto_restart_policy: 'never',
  })
  const disks = (await api('member', 'GET', `/v1/instances/web-copy/disks?project=${project}`)) as {
    items: { name: string; size: number; block_size: number; image_id?: string }[]
  }
  expect(disks.items).toHaveLength(2)
  expect(disks.items).toContainEqual(
    expect.objectContaining({ name: 'web-data-copy', size: 2 * GiB, block_size: 4096 }),
  )
  expect(disks.items).toContainEqual(expect.objectContaining({ size: 12 * GiB, image_id: image?.id }))
  expect(
    await api('member', 'GET', `/v1/instances/web-copy/anti-affinity-groups?project=${project}`),
  ).toMatchObject({ items: [{ id: group.id }] })
})

test('an instance whose boot disk has no image is cloned by choosing one', async ({
  open,
  project,
  machine,
}) => {
  await machine('plain')
  const page = await open('member', `/projects/${project}/instances/plain/storage`)
  await page.getByRole('button', { name: 'Instance actions' }).click()
  await menuItem(page, 'Clone').click()
  await expect(page.getByText(/^Boot disk plain-boot: it was not created from an image/)).toBeVisible()
  await page.getByRole('button', { name: 'Create instance' }).click()
  await expect(page.getByText('Image is required')).toBeVisible()
  await choose(page, 'Image', /^alpine-3-22/)
  await page.getByRole('button', { name: 'Create instance' }).click()
  await expect(page.getByRole('heading', { name: 'plain-copy' })).toBeVisible()
})

test('a viewer learns why they cannot clone, and a link to an instance that is gone leads nowhere', async ({
  open,
  project,
  machine,
}) => {
  await machine('looked-at')
  const viewer = await open('viewer', `/projects/${project}/instances`)
  await openRowMenu(viewer, 'looked-at')
  await expect(menuItem(viewer, 'Clone')).toBeDisabled()
  const member = await open('member', `/projects/${project}/instances-new?from=nobody`)
  await expect(member.getByRole('heading', { name: 'Page not found' })).toBeVisible()
})
