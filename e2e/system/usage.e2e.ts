import { readFileSync } from 'node:fs'
import { onServerBegun } from '../support/begun-earlier.ts'
import { ownServer } from '../support/own-server.ts'
import type { Api } from '../support/scenes.ts'
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

/** The latest October that has ended. */
function lastOctober(): number {
  const now = new Date()
  return now.getUTCMonth() > 9 ? now.getUTCFullYear() : now.getUTCFullYear() - 1
}

test(
  'an operator tells what silo forge used in October, and what each of its projects cost',
  { ...story, ...ownServer },
  async ({ browser }) => {
    test.setTimeout(240_000)
    const year = lastOctober()
    // The installation begins on 20 October, stops, and starts again today.
    const setPrices = (api: Api) => {
      const prices = { vcpu: 0.01, memory: 0, disk: 0, snapshot: 0, image: 0, address: 0 }
      return api('admin', 'PUT', '/ext/v1/system/usage-prices', { currency: 'EUR', prices })
    }
    await onServerBegun(browser, Date.UTC(year, 9, 20), setPrices, async ({ open }) => {
      const page = await open('admin', '/system/usage')
      const month = page.getByRole('combobox', { name: 'Month' })
      await month.selectOption(`${year}-10`)
      // The days since then are counted first, which the page says.
      await expect(async () => {
        await page.reload()
        await expect(row(page, 'forge')).toBeVisible({ timeout: 10_000 })
      }).toPass({ timeout: 180_000 })
      await expect(month.locator('option:checked')).toHaveText(new RegExp(`October.*${year}`))
      await expect(page.getByText(/^Counted until .*Before .* nothing was counted/)).toBeVisible()
      await row(page, 'forge').getByRole('link', { name: 'forge' }).click()

      // 88 vCPUs, of which 64 compile, for the twelve days that were left of the month.
      await expect(cell(page, 'build-farm', 'Cost')).toHaveText(/^184\.3\d EUR$/)
      await expect(cell(page, 'parts-catalogue', 'Cost')).toHaveText(/^57\.\d+ EUR$/)
      const downloading = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Download CSV' }).click()
      const lines = readFileSync(await (await downloading).path(), 'utf8').split('\r\n')
      const vcpuHours = (name: string): number =>
        Number(lines.find((line) => line.startsWith(`${year}-10,${name},`))?.split(',')[2])
      for (const [name, vcpus] of [
        ['build-farm', 64],
        ['parts-catalogue', 20],
        ['analytics', 4],
        ['Total', 88],
      ] as const) {
        expect(vcpuHours(name), name).toBeLessThanOrEqual(vcpus * 12 * 24)
        // The first two minutes passed while the installation began.
        expect(vcpuHours(name), name).toBeGreaterThan(vcpus * (12 * 24 - 1 / 30))
      }
      await expect(page.getByRole('region', { name: 'Use by day' })).toBeVisible()
    })
  },
)
