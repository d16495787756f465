import { signIn, visit } from './steps.ts'
import { notOn, password } from './target.ts'
import { expect, test } from './test.ts'

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
    } finally {
      await api('admin', 'DELETE', `${users}/${id}?silo=demo`).catch(() => undefined)
    }
  },
)
