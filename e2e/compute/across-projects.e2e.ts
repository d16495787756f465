import { expect, test } from '../support/test.ts'

test('instances of several projects are started as one task, and all that match get tags', async ({
  open,
  api,
  machine,
  project,
}) => {
  const name = `across-${project}`.slice(0, 40)
  await machine(`${name}-one`)
  const body = {
    name: `${name}-two`,
    description: '',
    hostname: 'two',
    ncpus: 1,
    memory: 2 ** 30,
    start: false,
  }
  await api('member', 'POST', '/v1/instances?project=playground', body)
  const page = await open('member', `/all/instances?filter=name:${name}-*`)
  await page.getByRole('checkbox', { name: `Select ${name}-one` }).check()
  await page.getByRole('checkbox', { name: `Select ${name}-two` }).check()
  const bar = page.getByRole('toolbar', { name: 'Selected instances' })
  await bar.getByRole('button', { name: 'Start', exact: true }).click()
  const question = page.getByRole('dialog', { name: 'Confirm start 2 instances' })
  await expect(question).toContainText(`${name}-one, ${name}-two`)
  await question.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByRole('article', { name: 'Started 2 instances' })).toBeVisible({ timeout: 60_000 })

  // All that match, also those on other pages.
  const selectEverything = async () => {
    await page.getByRole('checkbox', { name: 'Select all on this page' }).first().check()
    await bar.getByRole('button', { name: 'Select all 2 that match' }).click()
  }
  await api('member', 'PUT', '/ext/v1/me/list-preferences/instances', { page_size: 1 })
  await page.reload()
  await selectEverything()
  await bar.getByRole('button', { name: 'Edit tags' }).click()
  const tags = page.getByRole('dialog', { name: 'Edit tags of all 2 instances' })
  await expect(tags).toContainText(`name:${name}-*`)
  await tags.getByLabel('Key').first().fill('env')
  await tags.getByLabel('Value').first().fill('prod')
  await tags.getByRole('button', { name: 'Save' }).click()
  await expect(tags).toBeHidden()
  const { items } = (await api('member', 'GET', '/ext/v1/tasks?limit=1')) as { items: { verb: string }[] }
  expect(items[0]?.verb).toBe('tag')
  const tagged = page.getByRole('combobox', { name: 'Filter instances' })
  await tagged.fill(`name:${name}-* tag:env=prod`)
  await expect(page.locator('tbody a.name')).toHaveText([`${name}-one`])

  await selectEverything()
  await bar.getByRole('button', { name: 'Stop', exact: true }).click()
  await page
    .getByRole('dialog', { name: 'Confirm stop 2 instances' })
    .getByRole('button', { name: 'Confirm' })
    .click()
  await expect(page.getByRole('article', { name: 'Stopped 2 instances' })).toBeVisible({ timeout: 60_000 })
  await api('member', 'PUT', '/ext/v1/me/list-preferences/instances', { page_size: 50 })
})
