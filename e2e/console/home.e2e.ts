import { remembered, row, visit } from '../support/steps.ts'
import { story } from '../support/target.ts'
import { expect, test } from '../support/test.ts'

test(
  'the home tells what failed, what there is and what was opened last',
  story,
  async ({ open, machine, project, api }) => {
    const { id } = await machine('lighthouse', { start: true, auto_restart_policy: 'never' })
    await machine('quay')
    const page = await open('member', `/projects/${project}/instances/quay/storage`)
    await expect(page.getByRole('heading', { name: 'quay', exact: true })).toBeVisible()
    await remembered(page, 'quay')
    await api('admin', 'POST', '/ext/v1/faults', { kind: 'vm_crash', instance_id: id })

    await page.getByRole('link', { name: 'Home' }).click()
    const home = page.getByRole('complementary', { name: 'Your overview' })
    const failed = home.getByRole('region', { name: 'Failed instances' })
    await expect(failed.getByRole('link', { name: 'lighthouse' })).toBeVisible()
    await expect(failed).toContainText(project)
    await expect(home.getByRole('meter', { name: 'CPU of the quota' })).toBeVisible()
    await expect(home.getByRole('region', { name: 'Your last activity' })).toContainText(
      `Created instance quay`,
    )
    // A member is not told of the installation.
    await expect(home.getByRole('region', { name: 'Open issues' })).toBeHidden()
    await home.getByRole('region', { name: 'Recent' }).getByRole('link', { name: 'quay' }).click()
    await expect(page.getByRole('heading', { name: 'quay', exact: true })).toBeVisible()

    const operator = await open('admin', '/projects')
    const issues = operator.getByRole('region', { name: 'Open issues' })
    await expect(issues).toContainText('lighthouse')
    await issues.getByRole('link', { name: 'Failed instance' }).click()
    await expect(operator).toHaveURL(/\/system\/issues\?.*kind=failed_instance/)
  },
)

test('favourites are at hand on the home and in the palette, until they are gone', async ({
  open,
  machine,
  project,
  api,
}) => {
  await machine('beacon')
  const page = await open('member', `/projects/${project}/instances/beacon/storage`)
  await page.getByRole('button', { name: 'Add beacon to favourites' }).click()
  await expect(page.getByRole('button', { name: 'Remove beacon from favourites' })).toBeVisible()
  await visit(page, `/projects/${project}/disks/beacon-boot`)
  const star = page.getByRole('button', { name: 'Add beacon-boot to favourites' })
  await expect(star).toBeEnabled()
  await star.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Remove beacon-boot from favourites' })).toBeVisible()

  await visit(page, '/projects')
  await row(page, project)
    .getByRole('button', { name: `Add ${project} to favourites` })
    .click()
  const kept = page.getByRole('region', { name: 'Favourites' })
  await expect(kept.getByRole('link')).toHaveText([project, 'beacon-boot', 'beacon'])

  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Jump to' })
  await expect(palette.getByText('Favourites')).toBeVisible()
  await palette.getByRole('option', { name: /^beacon-boot/ }).click()
  await expect(page.getByRole('heading', { name: 'beacon-boot' })).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('remove beacon-boot')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Add beacon-boot to favourites' })).toBeVisible()

  await api('member', 'DELETE', `/v1/instances/beacon?project=${project}`)
  await visit(page, '/projects')
  await expect(kept.getByRole('link')).toHaveText([project])
})
