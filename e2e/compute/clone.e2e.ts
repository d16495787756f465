import { choose, menuItem, notifications, openRowMenu, refresh } from '../support/steps.ts'
import { notOn } from '../support/target.ts'
import { expect, test } from '../support/test.ts'

const GiB = 1024 ** 3

test("a clone copies an instance's configuration and lists what it cannot copy", async ({
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
  await page.getByRole('radio', { name: 'Begin with fresh disks' }).check()
  await expect(page.getByText('Data of boot disk web-boot.')).toBeVisible()
  await expect(page.getByText('Data of disk web-data.')).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Image' })).toHaveValue('alpine-3-22')
  await expect(page.getByLabel('Disk size (GiB)')).toHaveValue('12')
  const disks = page.getByRole('table', { name: 'Disks' })
  await expect(disks).toContainText('web-data-copy')

  // The choice concerns the cloned disks, and no others.
  await page.getByRole('button', { name: 'Create new disk' }).click()
  const added = page.getByRole('dialog', { name: 'Create disk' })
  await added.getByLabel('Name', { exact: true }).fill('extra')
  await added.getByRole('button', { name: 'Create disk' }).click()
  await expect(disks).toContainText('extra')
  await page.getByRole('radio', { name: 'Copy the data of all disks' }).check()
  for (const name of ['web-data-copy', 'extra']) await expect(disks).toContainText(name)

  // The link to the form contains everything.
  await refresh(page)
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('web-copy')
  await page.getByRole('radio', { name: 'Begin with fresh disks' }).check()
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
  const made = (await api('member', 'GET', `/v1/instances/web-copy/disks?project=${project}`)) as {
    items: { name: string; size: number; block_size: number; image_id?: string }[]
  }
  expect(made.items).toHaveLength(2)
  expect(made.items).toContainEqual(
    expect.objectContaining({ name: 'web-data-copy', size: 2 * GiB, block_size: 4096 }),
  )
  expect(made.items).toContainEqual(expect.objectContaining({ size: 12 * GiB, image_id: image?.id }))
  expect(
    await api('member', 'GET', `/v1/instances/web-copy/anti-affinity-groups?project=${project}`),
  ).toMatchObject({ items: [{ id: group.id }] })
})

interface Snapshot {
  id: string
  name: string
  disk_id: string
}
interface Disk {
  id: string
  name: string
  size: number
  block_size: number
  snapshot_id?: string
}
const dataDisk = {
  type: 'create',
  name: 'origin-data',
  description: 'pages',
  size: 2 * GiB,
  disk_source: { type: 'blank', block_size: 4096 },
}

test('a clone copies the data of every disk through temporary snapshots', async ({
  open,
  project,
  machine,
  api,
}) => {
  await machine('origin', { start: true, disks: [dataDisk] })
  const disksOf = async (name: string) =>
    ((await api('member', 'GET', `/v1/instances/${name}/disks?project=${project}`)) as { items: Disk[] })
      .items
  const page = await open('member', `/projects/${project}/instances-new?from=origin`)
  await expect(page.getByRole('radio', { name: 'Copy the data of all disks' })).toBeChecked()
  await expect(page.getByText(/as after a power cut/)).toBeVisible()
  await expect(page.getByText(/^Data of/)).toBeHidden()
  expect(await api('member', 'GET', `/v1/snapshots?project=${project}`)).toMatchObject({ items: [] })

  const taken: Promise<Snapshot>[] = []
  page.on('response', (response) => {
    if (response.request().method() === 'POST' && response.url().includes('/v1/snapshots?'))
      taken.push(response.json())
  })
  await page.getByRole('button', { name: 'Create instance' }).click()
  await expect(page.getByRole('heading', { name: 'origin-copy' })).toBeVisible()

  const diskOf = new Map((await Promise.all(taken)).map(({ id, disk_id }) => [id, disk_id]))
  const [sources, copies] = [await disksOf('origin'), await disksOf('origin-copy')]
  expect(copies).toHaveLength(2)
  for (const source of sources) {
    const copy = copies.find(({ snapshot_id }) => diskOf.get(snapshot_id ?? '') === source.id)
    expect(copy).toMatchObject({ size: source.size, block_size: source.block_size })
  }
  expect(copies.map(({ name }) => name)).toContain('origin-data-copy')
  expect(await api('member', 'GET', `/v1/snapshots?project=${project}`)).toMatchObject({ items: [] })
})

test(
  'if a snapshot is refused, the form keeps its values and other snapshots are deleted',
  notOn({ preview: 'mocks responses of the control plane, which runs in the page' }),
  async ({ open, project, machine, api }) => {
    await machine('origin', { disks: [dataDisk] })
    const { items } = (await api('member', 'GET', `/v1/disks?project=${project}`)) as { items: Disk[] }
    const refused = items.find(({ name }) => name === 'origin-data')?.id ?? ''
    const page = await open('member', `/projects/${project}/instances-new?from=origin`)
    await page.getByLabel('Name', { exact: true }).fill('second')
    await page.route(
      (url) => url.pathname === '/v1/snapshots',
      (route) =>
        route.request().postData()?.includes(refused)
          ? route.fulfill({
              status: 507,
              json: { error_code: 'InsufficientCapacity', message: 'No room for it', request_id: 'r-1' },
            })
          : route.fallback(),
    )
    await page.getByRole('button', { name: 'Create instance' }).click()
    await expect(page.getByRole('alert')).toContainText('Snapshot of disk origin-data: No room for it')
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('second')
    expect(await api('member', 'GET', `/v1/snapshots?project=${project}`)).toMatchObject({ items: [] })

    await page.unrouteAll()
    await page.getByRole('button', { name: 'Create instance' }).click()
    await expect(page.getByRole('heading', { name: 'second' })).toBeVisible()
  },
)

test(
  'a taken name leaves no snapshots, and one that cannot be deleted is named',
  notOn({ preview: 'mocks responses of the control plane, which runs in the page' }),
  async ({ open, project, machine, api }) => {
    await machine('origin')
    await machine('origin-copy')
    const page = await open('member', `/projects/${project}/instances-new?from=origin`)
    const create = page.getByRole('button', { name: 'Create instance' })
    await create.click()
    await expect(page.getByRole('alert').first()).toBeVisible()
    expect(await api('member', 'GET', `/v1/snapshots?project=${project}`)).toMatchObject({ items: [] })

    await page.route(
      (url) => url.pathname.startsWith('/v1/snapshots/'),
      (route) =>
        route.request().method() === 'DELETE'
          ? route.fulfill({ status: 503, json: { message: 'Come back later', request_id: 'r-2' } })
          : route.fallback(),
    )
    const bar = page.getByRole('region', { name: 'Create instance' })
    await page.getByLabel('Description').first().fill('another')
    await expect(bar.getByRole('alert')).toBeVisible()
    await page.getByLabel('Name', { exact: true }).fill('third')
    await expect(page.getByRole('alert')).toHaveCount(0)
    await create.click()
    await expect(page.getByRole('heading', { name: 'third' })).toBeVisible()
    await expect(notifications(page)).toContainText(/Snapshot origin-boot-\w+ was kept: Come back later/)
    expect(await api('member', 'GET', `/v1/snapshots?project=${project}`)).toMatchObject({
      items: [{ description: 'Taken to clone disks for third' }],
    })
  },
)

test('an instance whose boot disk has no image can be cloned with a selected image', async ({
  open,
  project,
  machine,
}) => {
  await machine('plain')
  const page = await open('member', `/projects/${project}/instances/plain/storage`)
  await page.getByRole('button', { name: 'Instance actions' }).click()
  await menuItem(page, 'Clone').click()
  await page.getByRole('radio', { name: 'Begin with fresh disks' }).check()
  await expect(page.getByText(/^Boot disk plain-boot: it was not created from an image/)).toBeVisible()
  await page.getByRole('button', { name: 'Create instance' }).click()
  await expect(page.getByText('Image is required')).toBeVisible()
  await choose(page, 'Image', /^alpine-3-22/)
  await page.getByRole('button', { name: 'Create instance' }).click()
  await expect(page.getByRole('heading', { name: 'plain-copy' })).toBeVisible()
})

test('a viewer cannot clone an instance, and cloning a missing one shows Page not found', async ({
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
