import { scenesIn } from '../support/scenes.ts'
import { menuItem, notifications, openRowMenu, row, rowAction } from '../support/steps.ts'
import { story } from '../support/target.ts'
import { expect, test } from '../support/test.ts'

test(
  'a project goes with all that is in it: what is in the way is settled, then one confirmation',
  story,
  async ({ open, machine, project, api }) => {
    const { id } = await machine('db-keep')
    await machine('loader', { start: true })
    await scenesIn(api, project).disk('spare')
    await api('member', 'PUT', `/ext/v1/protections/${id}?kind=instance`, {
      no_delete: true,
      no_stop: false,
      reason: 'Figures of the third quarter',
    })
    const page = await open('member', '/projects')
    await rowAction(page, project, 'Delete')
    await expect(page.getByRole('heading', { name: `Delete project ${project}`, level: 1 })).toBeVisible()
    const blocks = page.getByRole('region', { name: 'In the way' })
    await expect(blocks).toContainText('1 thing is in the way')
    await expect(blocks).toContainText(
      'Instance db-keep is protected by member: Figures of the third quarter.',
    )
    const remove = page.getByRole('button', { name: 'Delete project' })
    await expect(remove).toHaveAccessibleDescription('Settle what is in the way first.')
    const tree = page.getByRole('table', { name: 'What goes with the project' })
    await expect(tree.getByRole('row', { name: /Instances/ })).toContainText('Recycle bin, 1 stopped first')
    await tree.getByRole('button', { name: 'Instances' }).click()
    await expect(tree).toContainText('db-keep and loader')

    await blocks.getByRole('button', { name: 'Take protection off' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Take off' }).click()
    await expect(blocks).toBeHidden()
    await expect(remove).toHaveAccessibleDescription(`Type ${project} to confirm.`)

    // What appears meanwhile is shown before anything is deleted.
    await page.getByLabel('Type the project’s name').fill(project)
    await scenesIn(api, project).disk('late')
    await remove.click()
    await expect(page.getByRole('alert')).toContainText('What would be deleted has changed')
    await expect(tree.getByRole('row', { name: /Disks/ })).toContainText('4')

    await remove.click()
    await expect(page.getByRole('progressbar', { name: 'Deletion' })).toBeVisible()
    await expect(notifications(page)).toContainText(`Project ${project} deleted`)
    await expect(page).toHaveURL(/\/projects$/)
    await expect(row(page, project)).toBeHidden()
  },
)

test('a deletion that is stopped says where, and goes on with a new plan', async ({
  open,
  machine,
  project,
}) => {
  await machine('slow', { start: true })
  const page = await open('member', `/projects/${project}/delete`)
  await page.getByLabel('Type the project’s name').fill(project)
  await page.getByRole('button', { name: 'Delete project' }).click()
  await page.getByRole('button', { name: 'Stop deleting' }).click()
  await expect(page.getByRole('table', { name: /What goes/ })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Delete project' })).toBeVisible()
})

test('a deletion that was over before it was first read is told as done', async ({ open, project, api }) => {
  await scenesIn(api, project).disk('small')
  const page = await open('member', `/projects/${project}/delete`)
  await page.getByLabel('Type the project’s name').fill(project)
  // Once it has begun, the page reads of it only when it is over.
  await page.route('**/ext/v1/deletions', async (route) => {
    if (route.request().method() === 'GET') await expect.poll(ends).toBe('done')
    await route.continue()
  })
  const ends = async () => {
    const { items } = (await api('member', 'GET', '/ext/v1/deletions')) as {
      items: { state: string; object: { name: string } }[]
    }
    return items.find(({ object }) => object.name === project)?.state ?? 'done'
  }
  await page.getByRole('button', { name: 'Delete project' }).click()
  await expect(notifications(page)).toContainText(`Project ${project} deleted`)
  await expect(page).toHaveURL(/\/projects$/)
})

test('a VPC that instances use names them, with the way there', async ({ open, machine, project }) => {
  await machine('uses-it', { network_interfaces: { type: 'default' } })
  const page = await open('member', `/projects/${project}/vpcs`)
  await openRowMenu(page, 'default')
  await menuItem(page, 'Delete').click()
  const blocks = page.getByRole('region', { name: 'In the way' })
  await expect(blocks).toContainText('Instance uses-it has an interface in it.')
  await blocks.getByRole('link', { name: 'Open' }).click()
  await expect(page).toHaveURL(new RegExp(`/projects/${project}/instances/uses-it`))
})

test('what takes nothing along is deleted by the simple question', async ({ open, project }) => {
  const page = await open('member', '/projects')
  await rowAction(page, project, 'Delete')
  const dialog = page.getByRole('dialog', { name: 'Confirm delete project' })
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await expect(row(page, project)).toBeHidden()
})
