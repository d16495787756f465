import type { Page } from '@playwright/test'
import { refresh, row, visit } from '../support/steps.ts'
import { expect, test } from '../support/test.ts'
import { notOn, story } from '../support/target.ts'

const names = (page: Page): Promise<string[]> => page.locator('tbody a.name').allTextContents()
const find = (page: Page) => page.getByRole('combobox', { name: 'Filter instances' })
const head = (page: Page, name: string) => page.getByRole('columnheader', { name, exact: true })

test(
  'a name and state filter can be shared as a link, and survives Back',
  { ...story, ...notOn({ preview: 'needs a second browser' }) },
  async ({ open, project, machine, api }) => {
    await machine('web-1')
    await machine('web-2', { start: true })
    await machine('db-1', { start: true })
    const page = await open('member', `/projects/${project}/instances`)
    await find(page).fill('WEB')
    await expect(page).toHaveURL(/\?filter=WEB$/)
    await expect.poll(() => names(page)).toEqual(['web-1', 'web-2'])

    await page.getByRole('combobox', { name: 'State' }).selectOption('Stopped')
    await expect(page).toHaveURL(/filter=WEB[+ %20]*state(:|%3A)stopped/)
    await expect.poll(() => names(page)).toEqual(['web-1'])

    // The link shows another user the same, also after a reload.
    const other = await open('viewer', new URL(page.url()).pathname + new URL(page.url()).search)
    await expect.poll(() => names(other)).toEqual(['web-1'])
    await expect(find(other)).toHaveValue('WEB state:stopped')

    // An instance that no longer matches leaves the list.
    await api('admin', 'POST', `/v1/instances/web-1/start?project=${project}`)
    await expect(other.getByRole('heading', { name: 'Nothing matches' })).toBeVisible()
    await other.getByRole('button', { name: 'Clear filters' }).first().click()
    await expect.poll(() => names(other)).toEqual(['db-1', 'web-1', 'web-2'])
    await expect(find(other)).toHaveValue('')

    await page.goBack()
    await expect.poll(() => names(page)).toEqual(['web-1', 'web-2'])
    await expect(page.getByRole('combobox', { name: 'State' })).toHaveValue('')
  },
)

test('column headers sort a list, and paging keeps the order', async ({ open, project, api }) => {
  test.setTimeout(120_000)
  for (let number = 1; number <= 53; number++) {
    const name = `one-${String(number).padStart(2, '0')}`
    await api('member', 'POST', `/v1/instances?project=${project}`, {
      name,
      description: '',
      ncpus: 1,
      memory: 1024 ** 3,
      hostname: name,
      start: false,
    })
  }
  const page = await open('member', `/projects/${project}/instances`)
  await head(page, 'Name').getByRole('button').click()
  await expect(head(page, 'Name')).toHaveAttribute('aria-sort', 'descending')
  await expect(page).toHaveURL(/sort=-name/)
  await expect(row(page, 'one-53')).toBeVisible()
  await page.getByRole('button', { name: 'Next' }).click()
  await expect.poll(() => names(page)).toEqual(['one-03', 'one-02', 'one-01'])
  await refresh(page)
  await expect.poll(() => names(page)).toEqual(['one-03', 'one-02', 'one-01'])
  await page.getByRole('button', { name: 'Previous' }).click()
  await expect(row(page, 'one-53')).toBeVisible()

  // A new order starts on its first page.
  await head(page, 'Created').getByRole('button').click()
  await expect(head(page, 'Created')).toHaveAttribute('aria-sort', 'ascending')
  await expect(head(page, 'Name')).toHaveAttribute('aria-sort', 'none')
  await expect(page).toHaveURL(/\?sort=created$/)
  await expect.poll(async () => (await names(page))[0]).toBe('one-01')

  await page.getByRole('combobox', { name: 'Age' }).selectOption('Older than 30 days')
  await expect(page.getByRole('heading', { name: 'Nothing matches' })).toBeVisible()
})

test(
  'Previous leads to the previous page after coming back to a list filtered by age',
  notOn({ preview: 'mocks responses of the control plane, which runs in the page' }),
  async ({ open, project, machine }) => {
    const one = await machine('one')
    const page = await open('member', '/projects')
    await page.clock.install()
    await page.route('**/ext/v1/instances?*', async (route) => {
      const { searchParams } = new URL(route.request().url())
      const number = Number(searchParams.get('page_token') ?? 1)
      const many = Array.from({ length: Number(searchParams.get('limit')) }, (_, index) => ({
        ...one,
        id: crypto.randomUUID(),
        name: `page-${number}-${index}`,
      }))
      await route.fulfill({ json: { items: many, next_page: String(number + 1) } })
    })
    await visit(page, `/projects/${project}/instances?age=day`)
    for (const number of [1, 2]) {
      await expect(row(page, `page-${number}-0`)).toBeVisible()
      await page.getByRole('button', { name: 'Next' }).click()
    }
    await expect(row(page, 'page-3-0')).toBeVisible()
    await page.getByRole('navigation', { name: 'Sidebar' }).getByRole('link', { name: 'Disks' }).click()
    await expect(page.getByRole('heading', { name: 'Disks', exact: true })).toBeVisible()
    // The start of the last 24 hours moves on.
    await page.clock.runFor(61_000)
    await page.goBack()
    await expect(row(page, 'page-3-0')).toBeVisible()
    await page.getByRole('button', { name: 'Previous' }).click()
    await expect(row(page, 'page-2-0')).toBeVisible()
  },
)

test(
  'the list works without controls on a server that cannot sort',
  notOn({ preview: 'mocks responses of the control plane, which runs in the page' }),
  async ({ open, project, machine }) => {
    await machine('plain')
    const page = await open('member', '/projects')
    await page.route('**/ext/v1/instances*', (route) => route.fulfill({ status: 404, body: 'no such page' }))
    await visit(page, `/projects/${project}/instances?name=other&sort=-name`)
    await expect(row(page, 'plain')).toBeVisible()
    await expect(page.getByRole('checkbox', { name: 'Select plain' })).toBeVisible()
    await expect(find(page)).toBeHidden()
    await expect(head(page, 'Name').getByRole('button')).toBeHidden()
  },
)

test(
  'typing while the server is slow loses no letter, and ends with the right results',
  notOn({ preview: 'mocks responses of the control plane, which runs in the page' }),
  async ({ open, project, machine }) => {
    await machine('far-behind')
    await machine('fast')
    const page = await open('member', `/projects/${project}/instances`)
    await expect.poll(() => names(page)).toHaveLength(2)
    await page.route('**/ext/v1/instances?*', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 150))
      await route.continue()
    })
    await find(page).pressSequentially('far-behind', { delay: 70 })
    await expect(find(page)).toHaveValue('far-behind')
    await expect(page).toHaveURL(/\?filter=far-behind$/)
    await expect.poll(() => names(page)).toEqual(['far-behind'])
  },
)

test(
  'slow rows are announced, and the previous ones stay meanwhile',
  notOn({ preview: 'mocks responses of the control plane, which runs in the page' }),
  async ({ open, project, machine }) => {
    await machine('near')
    await machine('far')
    const page = await open('member', `/projects/${project}/instances`)
    await expect.poll(() => names(page)).toHaveLength(2)
    await expect(find(page)).toBeVisible()
    let release: (() => void) | undefined
    const held = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/ext/v1/instances?*', async (route) => {
      await held
      await route.continue()
    })
    const bar = page.locator('[class*="animate-[bar"]')
    // From here on the test controls the page's clock.
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 60_000)
    await find(page).fill('far')
    await expect(async () => {
      await page.clock.runFor(20)
      expect(await bar.isVisible()).toBe(true)
    }).toPass()
    expect(await names(page)).toHaveLength(2)
    release?.()
    await expect.poll(() => names(page)).toEqual(['far'])
    // Once it shows, it shows for half a second.
    await page.clock.runFor(400)
    await expect(bar).toBeVisible()
    await page.clock.runFor(200)
    await expect(bar).toBeHidden()
  },
)

test('columns keep their widths while the rows change', async ({ open, project, machine }) => {
  await machine('a')
  await machine(`b-${'long'.repeat(14)}`, { ncpus: 64, memory: 64 * 1024 ** 3 })
  const page = await open('member', `/projects/${project}/instances`)
  await expect.poll(() => names(page)).toHaveLength(2)
  const places = () =>
    page.getByRole('columnheader').evaluateAll((heads) => heads.map((each) => each.getBoundingClientRect().x))
  for (const width of [1440, 800]) {
    await page.setViewportSize({ width, height: 900 })
    // The page may be laid out later.
    await expect.poll(async () => (await places()).length).toBeGreaterThan(5)
    const before = await places()
    await find(page).fill('a')
    await expect.poll(() => names(page)).toEqual(['a'])
    expect(await places()).toEqual(before)
    await find(page).fill('')
    await expect.poll(() => names(page)).toHaveLength(2)
  }
})

test('on a phone the filters collapse, and show how many are set', async ({ open, project, machine }) => {
  await machine('web')
  const page = await open('member', `/projects/${project}/instances`)
  await page.setViewportSize({ width: 360, height: 780 })
  const state = page.getByRole('combobox', { name: 'State' })
  const fold = page.getByRole('button', { name: /^Filters/ })
  await expect(fold).toHaveAttribute('aria-expanded', 'false')
  await expect(state).toBeHidden()
  await fold.click()
  await state.selectOption('Stopped')
  await page.getByRole('combobox', { name: 'Sort' }).selectOption('Newest first')
  await fold.click()
  await expect(state).toBeHidden()
  await expect(fold).toHaveAccessibleName('Filters (2)')

  // The second line of a row is aligned with the name.
  const left = async (text: string) =>
    (await page.locator('tbody').getByText(text, { exact: true }).first().boundingBox())?.x
  const under = await left('web')
  expect(under).toBeGreaterThan(32)
  expect(await left('GiB')).toBeGreaterThan(under ?? 0)
  expect(
    await page
      .locator('tbody td')
      .nth(2)
      .evaluate((cell) => cell.getBoundingClientRect().x),
  ).toBe(under)
})

test('terms of a filter are removed one by one, by mouse and by keyboard', async ({
  open,
  project,
  machine,
}) => {
  await machine('north-one')
  await machine('north-two')
  const filter = 'state:stopped name:north* -name:*two'
  const page = await open('member', `/projects/${project}/instances?filter=${encodeURIComponent(filter)}`)
  const field = page.getByRole('combobox', { name: 'Filter instances' })
  const chips = page.getByRole('list', { name: 'Terms of the filter' }).getByRole('button')
  await expect(chips).toHaveText(['state:stopped', 'name:north*', '-name:*two'])
  await expect(row(page, 'north-two')).toBeHidden()

  await page.getByRole('button', { name: 'Remove -name:*two' }).click()
  await expect(row(page, 'north-two')).toBeVisible()
  await expect(field).toHaveValue('state:stopped name:north*')
  await expect(chips.last()).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await expect(chips.first()).toBeFocused()
  await page.keyboard.press('Delete')
  await expect(field).toHaveValue('name:north*')
  await expect(chips).toHaveText(['name:north*'])
  await page.keyboard.press('Backspace')
  await expect(field).toHaveValue('')
  await expect(field).toBeFocused()

  // A word stands in the field alone, and the text stays editable.
  await field.fill('north-one')
  await expect(row(page, 'north-two')).toBeHidden()
  await expect(chips).toHaveCount(0)
  await field.fill('north-one sort:-cpu')
  await field.press('Enter')
  await expect(chips).toHaveText(['north-one', 'sort:-cpu'])
})
