import { remembered } from '../support/steps.ts'
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
