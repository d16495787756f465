import { confirm, rowAction, row } from '../support/steps.ts'
import { notOn, story } from '../support/target.ts'
import { expect, test } from '../support/test.ts'

test(
  'a program acts by a service account of a project, and its token is replaced while it works',
  { ...story, ...notOn({ preview: 'programs do not reach the preview' }) },
  async ({ open, project, gantry }) => {
    const name = 'deployer'
    const page = await open('member', `/projects/${project}/service-accounts`)
    await page.getByRole('link', { name: 'New service account' }).first().click()
    await page.getByLabel('Name', { exact: true }).fill(name)
    await page.getByLabel('Role').click()
    await page.getByRole('option', { name: /^Collaborator/ }).click()
    await page.getByRole('button', { name: 'Create service account' }).click()
    await row(page, name).getByRole('link', { name }).click()
    await expect(page.getByText('Project collaborator')).toBeVisible()

    await page.getByRole('link', { name: 'New token' }).click()
    await page.getByLabel('Name').fill('nightly')
    await page.getByRole('checkbox', { name: /Create and change/ }).check()
    await page.getByRole('button', { name: 'Create token' }).click()
    const shown = page.getByRole('dialog', { name: 'Token nightly is ready' })
    const first = await shown.getByTestId('secret').innerText()
    await shown.getByRole('button', { name: 'Done' }).click()
    const makeDisk = async (token: string, disk: string) => {
      const { status } = await fetch(new URL(`/v1/disks?project=${project}`, gantry.url), {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          name: disk,
          description: '',
          size: 1024 ** 3,
          disk_source: { type: 'blank', block_size: 512 },
        }),
      })
      return status
    }
    expect(await makeDisk(first, 'by-program')).toBe(201)

    await rowAction(page, 'nightly', 'Replace')
    await page.getByRole('button', { name: 'Replace token' }).click()
    const second = await shown.getByTestId('secret').innerText()
    await shown.getByRole('button', { name: 'Done' }).click()
    expect([await makeDisk(first, 'by-first'), await makeDisk(second, 'by-second')]).toEqual([201, 201])

    await page.goto(`${gantry.url}/projects/${project}/activity`)
    await expect(page.getByText(`${name}, with access token nightly`).first()).toBeVisible()
    await page.goto(`${gantry.url}/projects/${project}/service-accounts`)
    await rowAction(page, name, 'Delete')
    await confirm(page)
    await expect(page.getByRole('dialog')).toBeHidden()
    expect([await makeDisk(first, 'late'), await makeDisk(second, 'late')]).toEqual([401, 401])
  },
)
