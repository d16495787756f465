import type { Page } from '@playwright/test'
import { createSilo, deleteSilo } from '../support/silo-scenes.ts'
import { notifications } from '../support/steps.ts'
import { notOn } from '../support/target.ts'
import { expect, test } from '../support/test.ts'

const GiB = 1024 ** 3
const ownBrowser = notOn({ preview: 'a page of it has its own data' })

/** The same page in a browser of another language. */
async function inLocale(page: Page, locale: string): Promise<Page> {
  const context = page.context()
  const own = await context.browser()?.newContext({ locale, storageState: await context.storageState() })
  const other = await own?.newPage()
  if (!other) throw new Error('the browser has gone')
  await other.goto(page.url())
  return other
}

async function editQuotas(page: Page) {
  await page.getByRole('button', { name: 'Edit quotas' }).click()
  const form = page.getByRole('dialog', { name: 'Edit quotas' })
  return { form, memory: form.getByRole('spinbutton', { name: 'Memory' }) }
}

for (const [locale, typed, becomes] of [
  ['de-DE', '1.024', '1024'],
  ['de-DE', '1,5', '1,5'],
  ['en-US', '1,024', '1024'],
  ['fr-FR', '1\u202F024', '1024'],
  ['fa-IR', '۱٬۰۲۴', '۱۰۲۴'],
] as const)
  test(
    `a quota of ${typed} GiB in ${locale} is what the screen shows as that`,
    ownBrowser,
    async ({ open, api, project }) => {
      const silo = `locale-${project}`
      await createSilo(api, silo)
      const path = `/v1/system/silos/${silo}/quotas`
      try {
        const page = await inLocale(await open('admin', `/system/silos/${silo}/quotas`), locale)
        const { form, memory } = await editQuotas(page)
        await memory.fill(typed)
        await memory.blur()
        await expect(memory).toHaveValue(becomes)
        await form.getByRole('button', { name: 'Update quotas' }).click()
        await expect(notifications(page)).toContainText('Quotas updated')
        const gib = typed === '1,5' ? 1.5 : 1024
        expect(await api('admin', 'GET', path)).toMatchObject({ memory: gib * GiB })
        await page.context().close()
      } finally {
        await deleteSilo(api, silo)
      }
    },
  )

test('what is no amount stays in the field with a message, and nothing is sent', async ({
  open,
  api,
  project,
}) => {
  const silo = `typed-${project}`
  await createSilo(api, silo)
  const path = `/v1/system/silos/${silo}/quotas`
  const before = await api('admin', 'GET', path)
  try {
    const page = await open('admin', `/system/silos/${silo}/quotas`)
    const { form, memory } = await editQuotas(page)
    for (const [typed, problem] of [
      ['1e3', 'Must be a number, written like 1,024.5'],
      ['-5', 'Must be at least 0'],
      ['0x10', 'Must be a number, written like 1,024.5'],
      ['1.024,5', 'Must be a number, written like 1,024.5'],
      ['twelve', 'Must be a number, written like 1,024.5'],
    ] as const) {
      await memory.fill(typed)
      await memory.blur()
      await expect(memory).toHaveAccessibleDescription(problem)
      await expect(memory).toHaveValue(typed)
      await form.getByRole('button', { name: 'Update quotas' }).click()
      await expect(memory).toHaveAccessibleDescription(problem)
    }
    // The message goes with the mistake.
    await memory.fill('7')
    await expect(memory).toHaveAccessibleDescription('')
    await memory.fill('1e3')
    await expect(memory).toHaveAccessibleDescription(/Must be a number/)
    expect(await api('admin', 'GET', path)).toEqual(before)
    await form.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Leave form' }).click()
    await expect(form).toBeHidden()
  } finally {
    await deleteSilo(api, silo)
  }
})

test('a size out of range is reported and not replaced, and the click that left the field counts', async ({
  open,
  project,
}) => {
  const page = await open('member', `/projects/${project}/disks-new`)
  const form = page.getByRole('dialog', { name: 'Create disk' })
  const size = form.getByRole('spinbutton', { name: 'Size' })
  await size.fill('5000')
  await size.blur()
  await expect(size).toHaveAccessibleDescription('Can be at most 1023 GiB')
  await expect(size).toHaveValue('5000')
  await size.fill('0')
  // Adds the message above the checked option.
  await form.getByRole('radio').last().click()
  await expect(form.getByRole('radio').last()).toBeChecked()
  await expect(size).toHaveValue('0')
  await size.fill('12')
  await size.press('ArrowUp')
  await expect(size).toHaveValue('13')
})
