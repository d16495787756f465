import type { Page } from '@playwright/test'
import { ownServer, testOwnServer } from '../support/own-server.ts'
import { notifications, row } from '../support/steps.ts'
import { expect, test } from '../support/test.ts'
import { story } from '../support/target.ts'

const names = (page: Page): Promise<string[]> => page.locator('tbody a.name').allTextContents()
const field = (page: Page) => page.getByRole('combobox', { name: 'Filter instances' })
const options = (page: Page) => page.getByRole('listbox', { name: 'Options' }).getByRole('option')

test(
  'one machine is found among many by address, age and state, and all that match are stopped at once',
  story,
  async ({ open, project, api }) => {
    test.setTimeout(180_000)
    const machine = { description: '', ncpus: 1, memory: 1024 ** 3, hostname: 'host', external_ips: [] }
    for (let number = 1; number <= 53; number++)
      await api('member', 'POST', `/v1/instances?project=${project}`, {
        ...machine,
        name: `one-${String(number).padStart(2, '0')}`,
        start: number > 51,
        ...(number === 17 && { ncpus: 4, memory: 8 * 1024 ** 3 }),
      })
    const { items } = (await api(
      'member',
      'GET',
      `/v1/network-interfaces?project=${project}&instance=one-17`,
    )) as { items: { ip: string }[] }
    const page = await open('member', `/projects/${project}/instances`)
    await expect(page.getByText('53 instances')).toBeVisible()

    // By address, with the total of what is found.
    await page.keyboard.press('/')
    await expect(field(page)).toBeFocused()
    await page.keyboard.type(`ip:${items[0]?.ip} `)
    await expect.poll(() => names(page)).toEqual(['one-17'])
    await expect(page.getByText('1 of 53 match')).toBeVisible()
    await expect(page.getByText('4 vCPUs').first()).toBeVisible()

    // What cannot be read is explained, and the rows stay.
    await field(page).fill('memory>=8')
    await field(page).press('Enter')
    await expect(page.getByText('Write a unit behind the number, such as memory>=8GiB.')).toBeVisible()
    await expect(field(page)).toHaveAttribute('aria-invalid', 'true')
    await expect.poll(() => names(page)).toEqual(['one-17'])

    // Values are suggested with their counts.
    await field(page).fill('')
    await field(page).pressSequentially('sta')
    await page.keyboard.press('Tab')
    await expect(field(page)).toHaveValue('state:')
    await expect(options(page).first()).toHaveText('stopped51')
    await page.keyboard.type('run')
    await expect(options(page).first()).toHaveText(/running/)
    await page.keyboard.press('Tab')
    await expect(field(page)).toHaveValue('state:running')
    await expect.poll(() => names(page)).toEqual(['one-52', 'one-53'])

    // Where nothing matches, each term says what it hides.
    await field(page).fill('state:running created>30d')
    const hiding = page.getByRole('list', { name: 'What hides them' })
    await expect(hiding.getByRole('listitem')).toHaveText([/Without created>30d, 2 match/])
    await hiding.getByRole('button').click()
    await expect(field(page)).toHaveValue('state:running')

    // All that match, on every page, in one action.
    await field(page).fill('name:one*')
    await expect(page.getByText('53 of 53 match')).toBeVisible()
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
    const bar = page.getByRole('toolbar', { name: 'Selected instances' })
    await bar.getByRole('button', { name: 'Select all 53 that match' }).click()
    await expect(bar.getByText('All 53 that match are selected')).toBeVisible()
    await bar.getByRole('button', { name: 'Stop 2 of 53' }).click()
    await expect(page.getByRole('dialog')).toContainText('all 2 instances that match name:one*')
    await page.getByRole('button', { name: 'Confirm' }).click()
    await expect(page.getByRole('heading', { name: 'Stopped 2 instances' })).toBeVisible({ timeout: 30_000 })
    await expect(row(page, 'one-01')).toBeVisible()
  },
)

testOwnServer({})(
  'one machine among two thousand is found by address, by age and by state',
  ownServer,
  async ({ own: { open, api } }) => {
    test.setTimeout(420_000)
    const project = 'playground'
    // Each four share an address of the silo's pool, which has too few for so many.
    const range = { first: '198.18.0.0', last: '198.18.1.255' }
    await api('admin', 'POST', '/v1/system/ip-pools/external/ranges/add', range)
    const instance = (name: string, hasAddress: boolean) => ({
      name,
      hostname: name,
      description: '',
      ncpus: 1,
      memory: 1024 ** 3,
      external_ips: [],
      ...(!hasAddress && { network_interfaces: { type: 'none' } }),
      start: false,
    })
    const numbers = Array.from({ length: 2000 }, (_, index) => index + 1)
    const make = async () => {
      for (let number = numbers.shift(); number; number = numbers.shift())
        await api(
          'member',
          'POST',
          `/v1/instances?project=${project}`,
          instance(`node-${number}`, number % 20 === 14),
        )
    }
    await Promise.all(Array.from({ length: 6 }, make))
    const count = async (filter: string): Promise<number> => {
      const query = new URLSearchParams({ kind: 'instance', project, filter })
      return ((await api('member', 'GET', `/ext/v1/list-totals?${query}`)) as { count: number }).count
    }
    const { items } = (await api(
      'member',
      'GET',
      `/v1/network-interfaces?project=${project}&instance=node-1234`,
    )) as { items: { ip: string }[] }
    const page = await open('member', `/projects/${project}/instances`)
    await expect(page.getByText('2,000 instances')).toBeVisible()

    // By address, in the list and from any page.
    await page.keyboard.press('/')
    await page.keyboard.type(`ip:${items[0]?.ip} `)
    await expect.poll(() => names(page)).toEqual(['node-1234'])
    await expect(page.getByText('1 of 2,000 match')).toBeVisible()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search' }).fill(`who has ${items[0]?.ip}`)
    await expect(page.getByRole('option', { name: /^node-1234/ }).first()).toBeVisible()
    await page.keyboard.press('Escape')

    // By age: the one that was created last.
    const { time_created } = (await api(
      'member',
      'POST',
      `/v1/instances?project=${project}`,
      instance('newest', false),
    )) as { time_created: string }
    await field(page).fill(`created>=${time_created}`)
    await expect.poll(() => names(page)).toEqual(['newest'])
    await field(page).fill(`created<${time_created}`)
    await expect(page.getByText('2,000 of 2,001 match')).toBeVisible()
    await field(page).fill('created>30d')
    await expect(page.getByRole('list', { name: 'What hides them' })).toContainText(
      'Without created>30d, 2,001 match',
    )
    // The keys of a list work also while it has no rows.
    await page.getByRole('heading', { name: 'Nothing matches' }).click()
    await page.keyboard.press('/')
    await expect(field(page)).toBeFocused()

    // By state, and opened by the keyboard alone.
    await api('member', 'POST', `/v1/instances/node-777/start?project=${project}`)
    await expect.poll(() => count('state:running'), { timeout: 60_000 }).toBe(1)
    await field(page).fill('state:running')
    await expect.poll(() => names(page)).toEqual(['node-777'])
    await field(page).evaluate((input: HTMLElement) => input.blur())
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'node-777', exact: true })).toBeVisible()
  },
)

test('rows are moved among and opened by keys and by a click anywhere', async ({
  open,
  project,
  machine,
}) => {
  await machine('first')
  await machine('second')
  const page = await open('member', `/projects/${project}/instances`)
  await expect(field(page)).toBeVisible()
  await page.keyboard.press('j')
  await expect(page.getByRole('link', { name: 'first', exact: true })).toBeFocused()
  await page.keyboard.press('j')
  await expect(page.getByRole('link', { name: 'second', exact: true })).toBeFocused()
  await page.keyboard.press('x')
  await expect(page.getByRole('checkbox', { name: 'Select second' })).toBeChecked()
  await page.keyboard.press('x')
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keys in lists' })).toContainText('Select the row')
  await page.keyboard.press('Escape')
  await row(page, 'first').getByText('GiB').click()
  await expect(page).toHaveURL(/\/instances\/first/)
})

test('what matches is saved and copied as text, CSV and JSON', async ({ open, project, machine }) => {
  await machine('web-1', { description: '=1+1' })
  await machine('db-1')
  const page = await open('member', `/projects/${project}/instances?filter=web`)
  const save = async (format: string): Promise<string> => {
    await page.getByRole('button', { name: 'Export' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: `Save as ${format}` }).click(),
    ])
    const chunks: Buffer[] = []
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
    return Buffer.concat(chunks).toString()
  }
  const [head = '', line = '', ...rest] = (await save('CSV')).split('\r\n')
  expect(head).toMatch(/^id,name,description,/)
  expect(line).toContain(",web-1,'=1+1,")
  expect(rest).toEqual([''])
  expect(JSON.parse(await save('JSON lines'))).toMatchObject({ name: 'web-1', run_state: 'stopped' })

  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const copy = async (format: string): Promise<string> => {
    await page.evaluate(() => navigator.clipboard.writeText(''))
    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByRole('menuitem', { name: `Copy as ${format}` }).click()
    await expect(notifications(page).getByText('Copied 1 row').first()).toBeVisible()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).not.toBe('')
    return page.evaluate(() => navigator.clipboard.readText())
  }
  const [textHead = '', textLine = '', ...textRest] = (await copy('text')).split('\n')
  expect(textHead).toMatch(/^id\tname\tdescription\t/)
  expect(textLine).toContain("\tweb-1\t'=1+1\t")
  expect(textRest).toEqual([''])
  expect(await copy('CSV')).toContain(",web-1,'=1+1,")
  expect(JSON.parse(await copy('JSON lines'))).toMatchObject({ name: 'web-1' })
})

test('machines are found by a tag, whose values are offered', async ({ open, project, machine, api }) => {
  for (const [name, value] of [
    ['web-1', 'prod'],
    ['web-2', 'test'],
  ] as const) {
    const { id } = await machine(name)
    await api('member', 'PUT', `/ext/v1/tags/${id}?kind=instance`, { tags: [{ key: 'env', value }] })
  }
  await machine('web-3')
  const page = await open('member', `/projects/${project}/instances`)
  await field(page).fill('')
  await field(page).pressSequentially('tag:env=p')
  await expect(options(page).first()).toHaveText('env=prod1')
  await page.keyboard.press('Tab')
  await expect(field(page)).toHaveValue('tag:env=prod')
  await expect.poll(() => names(page)).toEqual(['web-1'])
  await field(page).fill('tag:none')
  await expect.poll(() => names(page)).toEqual(['web-3'])
})
