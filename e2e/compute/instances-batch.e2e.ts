import { findings } from '../support/checks.ts'
import { choose } from '../support/steps.ts'
import { story } from '../support/target.ts'
import { expect, test } from '../support/test.ts'

test(
  'several instances are created at once, numbered after those that exist',
  story,
  async ({ open, project, machine, api }) => {
    await machine('web-1')
    const page = await open('member', `/projects/${project}/instances-new`)
    await page.getByLabel('Name', { exact: true }).fill('web')
    await choose(page, 'Image', /alpine-3-22/)
    await page.getByLabel('Number of instances').fill('3')
    await expect(page.getByText('web-1, web-2, web-3', { exact: true })).toBeVisible()
    await expect(page.getByText('web-1 exists already')).toBeVisible()
    await page.getByRole('button', { name: 'Continue with 2' }).click()
    await expect(page.getByText('web-2, web-3, web-4', { exact: true })).toBeVisible()
    await expect(page.getByText('web-1 exists already')).toBeHidden()
    await expect(page.getByRole('complementary', { name: 'Quota headroom' })).toContainText(
      'with these 3 instances',
    )
    expect(await findings(page)).toEqual([])

    // What several cannot share is named, and nothing is sent.
    await page.getByRole('radio', { name: 'Existing disks' }).click()
    await expect(
      page.getByText(/^An existing disk can be attached to one instance only/).first(),
    ).toBeVisible()
    await page.getByRole('radio', { name: 'Silo images' }).click()

    await page.getByRole('checkbox', { name: 'Start instances' }).uncheck()
    await page.getByRole('button', { name: 'Create instance' }).click()
    await expect(page).toHaveURL(/\/instances$/)
    for (const name of ['web-2', 'web-3', 'web-4'])
      await expect(page.getByRole('row', { name: new RegExp(`\\b${name}\\b`) })).toBeVisible()
    await page.getByRole('button', { name: /^Tasks/ }).click()
    await expect(page.getByText(/Created 3 instances/).first()).toBeVisible()
    const { items } = (await api('member', 'GET', `/v1/disks?project=${project}`)) as {
      items: { name: string }[]
    }
    const names = items.map(({ name }) => name).filter((name) => name.startsWith('web-'))
    expect(names.filter((name) => /^web-[234]-boot-[0-9a-f]{6}$/.test(name))).toHaveLength(3)
  },
)
