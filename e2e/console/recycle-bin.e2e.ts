import { type Api, scenesIn } from '../support/scenes.ts'
import { confirm, expectRow, notifications, row, rowAction, visit } from '../support/steps.ts'
import { story } from '../support/target.ts'
import { expect, test } from '../support/test.ts'

test(
  'who deleted an instance is found in Activity, and it is restored from there in four clicks',
  story,
  async ({ open, api, machine, project }) => {
    await machine('db-1')
    await api('member', 'DELETE', `/v1/instances/db-1?project=${project}`)
    const page = await open('member', `/projects/${project}/instances`)
    // The next one takes its name.
    await machine('db-1', { boot_disk: null, disks: [] })
    await page.getByRole('link', { name: 'Activity', exact: true }).click()
    const entry = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Deleted instance db-1' })
    await expect(entry).toContainText('member')
    await entry.getByRole('link', { name: 'Restore…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Restore instance' })
    await expect(dialog).toContainText('The name db-1 has been taken meanwhile')
    await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('db-1-restored')
    await expect(dialog).toContainText('It comes back stopped')
    await dialog.getByRole('button', { name: 'Restore' }).click()
    await expect(notifications(page)).toContainText('db-1-restored restored')
    await expect(page.getByText('The recycle bin is empty')).toBeVisible()
    await page.getByRole('link', { name: 'Instances', exact: true }).click()
    await expect(row(page, 'db-1-restored')).toBeVisible()
  },
)

test(
  'a deleted disk goes into the recycle bin, unless it is deleted for good, and its time is shown',
  story,
  async ({ open, api, project }) => {
    await scenesIn(api, project).disk('kept')
    await scenesIn(api, project).disk('lost')
    const page = await open('member', `/projects/${project}/disks`)
    for (const name of ['kept', 'lost']) {
      await expect(row(page, name)).toContainText('Detached')
      await rowAction(page, name, 'Delete')
      const dialog = page.getByRole('dialog', { name: 'Confirm delete disk' })
      await expect(dialog).toContainText('It can be restored from the recycle bin for 24 hours.')
      if (name === 'lost') {
        await dialog.getByRole('checkbox', { name: 'Delete for good at once' }).check()
        await expect(dialog).toContainText('Its 1 GiB is gone for good.')
      }
      await confirm(page)
      await expect(row(page, name)).toBeHidden()
    }
    await visit(page, `/projects/${project}/recycle-bin`)
    await expectRow(page, 'kept', { Kind: 'Disk', Size: '1 GiB', Deleted: /by member$/ })
    await expect(row(page, 'lost')).toBeHidden()
    // Another user restores it, and the list follows.
    const [item] = (
      (await api('member', 'GET', `/ext/v1/recycle-bin?project=${project}`)) as { items: { id: string }[] }
    ).items
    await api('member', 'POST', `/ext/v1/recycle-bin/${item?.id}/restore`, {})
    await expect(page.getByText('The recycle bin is empty')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Empty recycle bin' })).toHaveAccessibleDescription(
      'It is empty.',
    )
  },
)

test('the bin of a project is emptied after a question', async ({ open, api, project }) => {
  await scenesIn(api, project).disk('old')
  const page = await open('member', `/projects/${project}/disks`)
  await expect(row(page, 'old')).toContainText('Detached')
  await api('member', 'DELETE', `/v1/disks/old?project=${project}`)
  await visit(page, `/projects/${project}/recycle-bin`)
  await expect(row(page, 'old')).toBeVisible()
  await page.getByRole('button', { name: 'Empty recycle bin' }).click()
  const dialog = page.getByRole('dialog', { name: 'Empty recycle bin' })
  await expect(dialog).toContainText('1 object cannot be restored then')
  await dialog.getByRole('button', { name: 'Empty recycle bin' }).click()
  await expect(page.getByText('The recycle bin is empty')).toBeVisible()
})

test('the admin of a silo decides for how long it keeps what is deleted', async ({ open, api }) => {
  const page = await open('admin', '/recycle-bin')
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit recycle bin' })
  await dialog.getByLabel('Kept for').fill('721')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toContainText('720')
  await dialog.getByLabel('Kept for').fill('168')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('stays here for 7 days')).toBeVisible()
  await api('admin', 'PUT', '/ext/v1/recycle-bin-settings', { hours: 24 })
  await expect(page.getByText('stays here for 24 hours')).toBeVisible()
})

test(
  'who deleted the database with its whole project is found in Activity, and all of it comes back in four clicks',
  story,
  async ({ open, api, machine, project }) => {
    await machine('db-1')
    await scenesIn(api, project).disk('spare')
    await deleteWhole(api, project)
    const page = await open('admin', '/projects')
    await page.getByRole('link', { name: 'Activity', exact: true }).click()
    const entry = page
      .getByRole('main')
      .getByRole('listitem')
      .filter({ hasText: `Deleted instance db-1` })
      .filter({ hasText: project })
    await expect(entry).toContainText('member')
    await entry.getByRole('link', { name: 'Restore…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Restore project' })
    await expect(dialog).toContainText('with everything that was deleted with it')
    await expect(dialog).toContainText(/1 instance/)
    await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue(project)
    await dialog.getByRole('button', { name: 'Restore' }).click()
    // How far it is, the tasks say, and no message does.
    const tasks = page.getByRole('complementary', { name: 'Tasks' })
    await expect(tasks).toContainText(`Restored project ${project}`)
    await expect(notifications(page)).toBeHidden()
    await tasks.getByRole('link', { name: project }).click()
    await expect(row(page, 'db-1')).toBeVisible()
  },
)

test('a project that was deleted with its contents is one row, which opens and goes for good as a whole', async ({
  open,
  api,
  project,
}) => {
  await scenesIn(api, project).disk('inside')
  await deleteWhole(api, project)
  const page = await open('member', '/recycle-bin')
  const whole = row(page, project)
  await expect(whole).toContainText('Project')
  await expect(whole).toContainText(/With it|objects/)
  await whole.getByRole('button', { name: project, exact: true }).click()
  await expect(whole.getByRole('list', { name: 'Deleted together' })).toContainText('inside')
  await expect(page.getByRole('meter', { name: 'Storage of the silo' })).toBeVisible()
  await rowAction(page, project, 'Delete')
  await expect(page.getByRole('dialog')).toContainText('All of it is gone for good then')
  await confirm(page)
  await expect(whole).toBeHidden()
})

/** Deletes a project with all that it holds, as its page does. */
async function deleteWhole(api: Api, project: string): Promise<void> {
  const { id } = (await api('member', 'GET', `/v1/projects/${project}`)) as { id: string }
  await expect
    .poll(async () => {
      const plan = (await api('member', 'GET', `/ext/v1/deletion-plans/${id}?kind=project`)) as {
        blockers: unknown[]
      }
      return plan.blockers
    })
    .toEqual([])
  const { hash } = (await api('member', 'GET', `/ext/v1/deletion-plans/${id}?kind=project`)) as {
    hash: string
  }
  const begun = (await api('member', 'POST', '/ext/v1/deletions', {
    kind: 'project',
    object_id: id,
    hash,
  })) as { id: string }
  await expect
    .poll(
      async () => ((await api('member', 'GET', `/ext/v1/deletions/${begun.id}`)) as { state: string }).state,
    )
    .toBe('done')
}
