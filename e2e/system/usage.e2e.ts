import { readFileSync } from 'node:fs'
import { cell, row, visit } from '../support/steps.ts'
import { story } from '../support/target.ts'
import { expect, test } from '../support/test.ts'

test(
  'an operator tells what a silo used in a month, by project and by tag, and what it costs',
  story,
  async ({ open, machine, api, project }) => {
    const { id } = await machine('eater', { start: true, ncpus: 16 })
    await api('member', 'PUT', `/ext/v1/tags/${id}?kind=instance`, { tags: [{ key: 'env', value: 'prod' }] })
    const page = await open('admin', '/system')
    await page
      .getByRole('navigation', { name: 'Sidebar' })
      .getByRole('link', { name: 'Use and cost' })
      .click()
    await page.getByRole('button', { name: 'Edit prices' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit prices' })
    await dialog.getByRole('textbox', { name: 'Currency' }).fill('EUR')
    await dialog.getByLabel('Price of a vCPU hour').fill('3600')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toHaveCount(0)

    await row(page, 'demo').getByRole('link', { name: 'demo' }).click()
    // An euro for each second of each vCPU.
    await expect(async () => {
      await page.reload()
      await expect(cell(page, project, 'Cost')).toHaveText(/[1-9].* EUR/, { timeout: 2000 })
    }).toPass()
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download CSV' }).click()
    const csv = readFileSync(await (await downloading).path(), 'utf8')
    expect(csv).toMatch(/^Month,Project,vCPU \(vCPU h\),.*,Cost \(EUR\)\r\n/)
    expect(csv).toContain(`,${project},`)
    await expect(page.getByRole('region', { name: 'Use by day' })).toBeVisible()

    const month = page.getByRole('combobox', { name: 'Month' })
    const october = await month
      .locator('option', { hasText: /October/ })
      .first()
      .getAttribute('value')
    await month.selectOption(october)
    await expect(page).toHaveURL(new RegExp(`month=${october}`))

    await visit(page, `/projects/${project}/usage`)
    const apart = page.getByRole('combobox', { name: 'Told apart by' })
    await apart.selectOption({ label: 'By tag env' })
    await expect(row(page, 'prod')).toBeVisible()
  },
)
