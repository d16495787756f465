import { notifications, signIn, visit } from '../support/steps.ts'
import { notOn, password } from '../support/target.ts'
import { expect, test } from '../support/test.ts'

const users = '/v1/system/identity-providers/local/users'

test(
  'a user with a role on one project alone sees its form for instances, and how one is connected',
  notOn({ preview: 'cannot sign in as new users' }),
  async ({ open, api, project }) => {
    const name = `only-${project}`
    const { id } = (await api('admin', 'POST', `${users}?silo=demo`, {
      external_id: name,
      password: { mode: 'password', value: password },
    })) as { id: string }
    try {
      await api('admin', 'PUT', `/v1/projects/${project}/policy`, {
        role_assignments: [{ identity_type: 'silo_user', identity_id: id, role_name: 'collaborator' }],
      })
      const page = await open('nobody', '/login/demo/local')
      await signIn(page, name)
      await expect(page).toHaveURL(/\/projects/)
      await visit(page, `/projects/${project}/instances-new`)
      await expect(page.getByRole('heading', { name: 'Create instance' })).toBeVisible()
      await expect(
        page.getByText('Upload an image, promote one to the silo, or create a disk first'),
      ).toBeVisible()
      // Only the default pool is available without the list of pools.
      await page.getByText('Networking', { exact: true }).click()
      await expect(page.getByRole('checkbox', { name: /ephemeral IP address/ })).toBeChecked()
      await expect(page.getByText('Allocated from the default pool')).toBeVisible()
      await expect(page.getByRole('combobox', { name: 'IP pool for ephemeral IP' })).toHaveCount(0)

      await api('admin', 'POST', `/v1/instances?project=${project}`, {
        name: 'there',
        description: '',
        ncpus: 1,
        memory: 1024 ** 3,
        hostname: 'there',
        start: false,
      })
      await visit(page, `/projects/${project}/instances/there/networking`)
      await expect(page.getByRole('heading', { name: 'External IPs' })).toBeVisible()
      await page.getByRole('button', { name: 'Attach ephemeral IP' }).click()
      const attach = page.getByRole('dialog', { name: 'Attach ephemeral IP' })
      await expect(attach).toContainText('The address comes from the default pool.')
      await attach.getByRole('button', { name: 'Attach' }).click()
      await expect(notifications(page)).toContainText(/IP \S+ attached/)
    } finally {
      await api('admin', 'DELETE', `${users}/${id}?silo=demo`).catch(() => undefined)
    }
  },
)
