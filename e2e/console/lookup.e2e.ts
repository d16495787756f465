import { chooseSilo, signIn, visit } from '../support/steps.ts'
import { scenesIn } from '../support/scenes.ts'
import { notOn, story } from '../support/target.ts'
import { expect, test } from '../support/test.ts'

test(
  'the id of an instance opens its page, by the long and the short path',
  story,
  async ({ open, project, machine }) => {
    const { id } = await machine('found')
    for (const path of [`/lookup/instances/${id}`, `/lookup/i/${id}`]) {
      const page = await open('viewer', path)
      await expect(page).toHaveURL(new RegExp(`/projects/${project}/instances/found/storage$`))
      await expect(page.getByRole('heading', { name: 'found' })).toBeVisible()
    }
  },
)

test('the ids of disks, snapshots, images and floating IPs open their pages', async ({
  open,
  project,
  api,
}) => {
  const scenes = scenesIn(api, project)
  const disk = (await scenes.disk('data')) as { id: string }
  const snapshot = await scenes.snapshot('nightly', 'data')
  await scenes.image('golden', snapshot.id)
  const of = `?project=${project}`
  const image = (await api('member', 'GET', `/v1/images/golden${of}`)) as { id: string }
  const address = { name: 'door', description: '' }
  const door = (await api('member', 'POST', `/v1/floating-ips${of}`, address)) as { id: string }
  const page = await open('viewer', '/projects')
  for (const [path, at, name] of [
    [`/lookup/disks/${disk.id}`, 'disks/data', 'data'],
    [`/lookup/snapshots/${snapshot.id}`, 'snapshots/nightly', 'nightly'],
    [`/lookup/images/${image.id}`, 'images/golden', 'golden'],
    [`/projects/${project}/images/golden/edit`, 'images/golden', 'golden'],
    [`/lookup/floating-ips/${door.id}`, 'floating-ips/door', 'door'],
  ] as const) {
    await visit(page, path)
    await expect(page).toHaveURL(new RegExp(`/projects/${project}/${at}$`))
    await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
  }
  for (const path of ['disks/data', 'snapshots/nightly', 'images/golden', 'floating-ips/door']) {
    await visit(page, `/projects/${project}/${path.replace(/[^/]*$/, 'missing')}`)
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  }
})

test(
  'a signed-out user signs in first',
  notOn({ preview: 'opens the sign-in page, which reloads the preview' }),
  async ({ machine, open }) => {
    const { id } = await machine('found')
    const page = await open('nobody', `/lookup/i/${id}`)
    await expect(page).toHaveURL(/\/login\?redirect_uri=%2Flookup%2Fi%2F/)
    await chooseSilo(page)
    await signIn(page, 'member')
    await expect(page).toHaveURL(/\/instances\/found\/storage$/)
  },
)

test('names, unknown ids and a missing id show Page not found', async ({ open, machine }) => {
  await machine('found')
  const page = await open('member', '/projects')
  for (const id of ['found', '7c9e6679-7425-40de-944b-e07fc1f90ae7', '']) {
    await visit(page, `/lookup/instances/${id}`)
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
    await expect(page.getByText("The page you are looking for doesn't exist")).toBeVisible()
    await expect(page).toHaveTitle('Gantry')
  }
})
