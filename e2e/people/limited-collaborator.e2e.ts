import type { Page } from '@playwright/test'
import { choose, menuItem, notifications, openRowMenu, row, visit } from '../support/steps.ts'
import { story } from '../support/target.ts'
import { expect, test } from '../support/test.ts'

const button = (page: Page, name: string) => page.getByRole('button', { name })

test(
  'a limited collaborator uses the networks of a project without changing them',
  story,
  async ({ open, api, project }) => {
    await api('member', 'POST', `/v1/vpcs?project=${project}`, {
      name: 'spare',
      description: '',
      dns_name: 'spare',
    })
    const page = await open('member', `/projects/${project}/access`)
    await button(page, 'Add user or group').click()
    const form = page.getByRole('dialog')
    await choose(page, 'User or group', 'viewer')
    await choose(page, 'Role', /^Limited collaborator/)
    await expect(form.getByRole('combobox', { name: 'Role' })).toHaveAccessibleDescription(
      'Creates, changes and deletes resources in this project. Only views its networks.',
    )
    await form.getByRole('button', { name: 'Assign role' }).click()
    await expect(notifications(page)).toContainText('Role assigned to viewer')
    await expect(row(page, 'viewer')).toContainText('Project limited collaborator')

    const limited = await open('viewer', `/projects/${project}/disks`)
    await limited.getByRole('link', { name: 'New disk' }).first().click()
    await limited.getByRole('textbox', { name: 'Name', exact: true }).fill('own')
    await button(limited, 'Create disk').click()
    await expect(notifications(limited)).toContainText('own')

    const why = `You need the role collaborator on project ${project} or silo demo`
    await visit(limited, `/projects/${project}/vpcs`)
    await expect(button(limited, 'New VPC')).toHaveAccessibleDescription(why)
    await openRowMenu(limited, 'spare')
    for (const action of ['Edit', 'Delete'])
      await expect(menuItem(limited, action)).toHaveAccessibleDescription(why)
    await visit(limited, `/projects/${project}/vpcs/spare/firewall-rules`)
    await expect(button(limited, 'New rule')).toHaveAccessibleDescription(why)
    await visit(limited, `/projects/${project}/recycle-bin`)
    await expect(button(limited, 'Empty recycle bin')).toHaveAccessibleDescription(why)
  },
)
