import type { Locator, Page } from '@playwright/test'
import { planPrefix } from '../../packages/api/src/history/plan.rules.ts'
import { press, tabTo } from '../support/keys.ts'
import {
  confirm,
  menuItem,
  notifications,
  openRowMenu,
  refresh,
  row,
  rowAction,
  visit,
} from '../support/steps.ts'
import type { User } from '../support/stage.ts'
import { expect, test } from '../support/test.ts'
import { notOn, story } from '../support/target.ts'

type Api = (user: User, method: string, path: string, body?: unknown) => Promise<unknown>
interface Rule {
  name: string
  priority: number
  [field: string]: unknown
}

const rulesAt = (project: string) => `/v1/vpc-firewall-rules?project=${project}&vpc=default`
const tab = (project: string, vpc = 'default') => `/projects/${project}/vpcs/${vpc}/firewall-rules`
const table = (page: Page) => page.getByRole('table', { name: 'Firewall rules', exact: true })
const names = (page: Page) => table(page).locator('tbody').getByRole('link')

const rule = (name: string, priority: number, more: object = {}): Rule => ({
  name,
  description: '',
  status: 'enabled',
  direction: 'inbound',
  action: 'allow',
  priority,
  targets: [{ type: 'vpc', value: 'default' }],
  filters: {},
  ...more,
})

const listOf = async (api: Api, project: string): Promise<Rule[]> =>
  ((await api('member', 'GET', rulesAt(project))) as { rules: Rule[] }).rules
const replace = (api: Api, project: string, rules: readonly Rule[]) =>
  api('member', 'PUT', rulesAt(project), { rules })
const priorities = async (api: Api, project: string) =>
  (await listOf(api, project)).map(({ name, priority }) => `${name} ${priority}`)

/** The options of the open combobox. */
const offered = (page: Page) => page.getByRole('listbox', { name: 'Options' }).getByRole('option')
// Each test fills in a long form or needs two users.
test.beforeEach(() => test.slow())

/** The sections of the form; each has its own buttons. */
const part = (form: Locator, name: 'Targets' | 'Filters' | 'Host filters') =>
  form.getByRole('region', { name, exact: true })

test(
  'a user creates, edits and clones a rule, and deletes the clone',
  story,
  async ({ open, project, api, machine }) => {
    await machine('web')
    const page = await open('member', `/projects/${project}/vpcs/default`)
    await expect(page).toHaveTitle(/^Firewall Rules \/ default \/ VPCs \//)
    await expect(names(page)).toHaveText(['allow-icmp', 'allow-internal-inbound', 'allow-ssh'])
    await page.getByRole('link', { name: 'New rule' }).click()

    const form = page.getByRole('dialog', { name: 'Add firewall rule' })
    await expect(page).toHaveTitle(/^New rule \/ Firewall Rules \//)
    await expect(form.getByRole('checkbox', { name: 'Enabled' })).toBeChecked()
    await expect(form.getByRole('radio', { name: 'Allow' })).toBeChecked()
    await expect(form.getByRole('radio', { name: 'Inbound' })).toBeChecked()
    await form.getByLabel('Name', { exact: true }).fill('web-in')
    await form.getByLabel('Description').fill('what customers reach')
    await form.getByLabel('Priority').fill('100')

    const targets = part(form, 'Targets')
    // A rule without targets has no effect, so the VPC is a target by default.
    await expect(targets.getByRole('table', { name: 'Targets' })).toContainText('VPCdefault')
    await targets.getByRole('button', { name: 'Remove item 1' }).click()
    await expect(targets).toContainText(
      'Without a target, this rule applies to no instance and has no effect.',
    )
    await targets.getByLabel('Target type').selectOption('Instance')
    await targets.getByRole('combobox', { name: 'Instance name' }).click()
    await page.getByRole('option', { name: 'web' }).click()
    await targets.getByRole('button', { name: 'Add target' }).click()
    await expect(targets.getByRole('table', { name: 'Targets' })).toContainText('Instanceweb')
    // The section resets to its first type.
    await expect(targets.getByLabel('Target type')).toHaveValue('vpc')

    const filters = part(form, 'Filters')
    await filters.getByRole('textbox', { name: 'Port filters' }).fill(' 443 ')
    await filters.getByRole('button', { name: 'Add port filter' }).click()
    await filters.getByLabel('Protocol filters').first().selectOption('TCP')
    await filters.getByRole('button', { name: 'Add protocol filter' }).click()
    const hosts = part(form, 'Host filters')
    await hosts.getByLabel('Host type').selectOption('IP subnet')
    await hosts.getByLabel('IP network').fill('198.51.100.0/24')
    await hosts.getByRole('button', { name: 'Add host filter' }).click()
    await form.getByRole('button', { name: 'Add rule' }).click()
    await expect(notifications(page)).toContainText('Firewall rule web-in created')
    await expect(form).toBeHidden()
    await expect(page).toHaveURL(/\/firewall-rules$/)
    await expect(names(page).first()).toHaveText('web-in')
    await expect(row(page, 'web-in')).toContainText(
      /100 ?Allow ?Inbound ?Instanceweb ?IP subnet198\.51\.100\.0\/24 ?TCP ?Port443 ?Enabled/,
    )

    // Where there is less room, hosts come last.
    await page.setViewportSize({ width: 1200, height: 900 })
    await expect(row(page, 'web-in')).toContainText(
      /100 ?Allow ?Inbound ?Instanceweb ?TCP ?Port443 ?\+1 ?Enabled/,
    )
    const others = row(page, 'web-in').getByRole('button', { name: '+1' })
    await others.hover()
    await expect(others).toHaveAccessibleDescription('Other filters: IP subnet 198.51.100.0/24')
    await expect(page.getByRole('tooltip').filter({ hasText: 'Other filters' })).toContainText(
      '198.51.100.0/24',
    )
    await page.setViewportSize({ width: 1440, height: 900 })
    expect((await listOf(api, project)).find(({ name }) => name === 'web-in')).toMatchObject({
      description: 'what customers reach',
      status: 'enabled',
      priority: 100,
      targets: [{ type: 'instance', value: 'web' }],
      filters: {
        hosts: [{ type: 'ip_net', value: '198.51.100.0/24' }],
        ports: ['443'],
        protocols: [{ type: 'tcp' }],
      },
    })

    // The edit form has its own URL, and fields that the form does not show are kept.
    await visit(page, `${page.url()}/web-in/edit`)
    const edit = page.getByRole('dialog', { name: 'Edit rule' })
    await expect(edit.getByLabel('Name', { exact: true })).toHaveValue('web-in')
    await edit.getByLabel('Name', { exact: true }).fill('allow-ssh')
    await edit.getByRole('button', { name: 'Update rule' }).click()
    await expect(edit.getByLabel('Name', { exact: true })).toHaveAccessibleDescription(/^Name taken\./)
    await edit.getByLabel('Name', { exact: true }).fill('front-door')
    await edit.getByRole('checkbox', { name: 'Enabled' }).uncheck()
    await edit.getByRole('button', { name: 'remove port 443' }).click()
    await expect(edit.getByRole('table', { name: 'Port filters' })).toBeHidden()
    await edit.getByRole('button', { name: 'Update rule' }).click()
    await expect(notifications(page)).toContainText('Firewall rule front-door updated')
    await expect(row(page, 'front-door')).toContainText('Disabled')
    await expect(names(page)).toHaveCount(4)

    await rowAction(page, 'front-door', 'Clone')
    await expect(form.getByLabel('Name', { exact: true })).toHaveValue('front-door-copy')
    await expect(form.getByRole('checkbox', { name: 'Enabled' })).not.toBeChecked()
    await expect(form.getByRole('table', { name: 'Host filters' })).toContainText('198.51.100.0/24')
    await expect(form.getByRole('table', { name: 'Port filters' })).toBeHidden()
    await form.getByRole('button', { name: 'Add rule' }).click()
    await expect(notifications(page)).toContainText('Firewall rule front-door-copy created')

    await rowAction(page, 'front-door-copy', 'Delete')
    await expect(page.getByRole('dialog', { name: 'Confirm delete firewall rule' })).toContainText(
      'front-door-copy',
    )
    await confirm(page)
    await expect(notifications(page)).toContainText('Firewall rule front-door-copy deleted')
    await expect(names(page)).toHaveText(['front-door', 'allow-icmp', 'allow-internal-inbound', 'allow-ssh'])

    // A missing rule cannot be edited; cloning it opens a blank form.
    await visit(page, `${tab(project)}/no-such/edit`)
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
    await expect(page).toHaveTitle('Gantry')
    await visit(page, `/projects/${project}/vpcs/default/firewall-rules-new/no-such`)
    await expect(form.getByLabel('Name', { exact: true })).toHaveValue('')
  },
)

test('each section of the form validates its own input, and Enter adds to that section only', async ({
  open,
  project,
}) => {
  const page = await open('member', `/projects/${project}/vpcs/default/firewall-rules-new`)
  const form = page.getByRole('dialog', { name: 'Add firewall rule' })
  const targets = part(form, 'Targets')
  const hosts = part(form, 'Host filters')
  const filters = part(form, 'Filters')
  const clear = form.getByRole('button', { name: 'Clear' })

  // With no input there is nothing to add or clear.
  await expect(targets.getByRole('button', { name: 'Add target' })).toHaveAccessibleDescription(
    'Enter a VPC name first',
  )
  for (const index of [0, 1, 2, 3]) await expect(clear.nth(index)).toBeDisabled()

  const vpcName = targets.getByRole('combobox', { name: 'VPC name' })
  await vpcName.fill('Nope')
  await expect(page.getByRole('option', { name: 'Custom: Nope' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(vpcName).toHaveValue('Nope')
  await expect(vpcName).not.toHaveAttribute('aria-invalid')
  await page.keyboard.press('Enter')
  await expect(vpcName).toHaveAccessibleDescription(
    'Can only contain lower-case letters, numbers, and dashes',
  )
  // From now on it validates on every keystroke, until the type changes.
  await vpcName.fill('9a')
  await expect(vpcName).toHaveAccessibleDescription('Must start with a lower-case letter')
  await page.keyboard.press('Escape')
  await expect(form).toBeVisible()
  await targets.getByLabel('Target type').selectOption('IP')
  const ip = targets.getByLabel('IP address')
  await expect(ip).toHaveValue('')
  await ip.fill('10.0.0')
  await expect(ip).not.toHaveAttribute('aria-invalid')
  await ip.press('Enter')
  await expect(ip).toHaveAccessibleDescription('Not a valid IP address')
  await ip.fill('10.0.0.1')
  await expect(ip).not.toHaveAttribute('aria-invalid')
  // Clear keeps the type; adding resets it.
  await clear.first().click()
  await expect(targets.getByLabel('Target type')).toHaveValue('ip')
  await ip.fill('10.0.0.1')
  await ip.press('Enter')
  await expect(targets.getByLabel('Target type')).toHaveValue('vpc')
  await expect(vpcName).toBeFocused()
  const added = form.getByRole('table', { name: 'Targets' }).getByRole('row')
  await expect(added).toHaveCount(3)
  // A duplicate is not added, and the section resets.
  await targets.getByLabel('Target type').selectOption('IP')
  await ip.fill('10.0.0.1')
  await ip.press('Enter')
  await expect(targets.getByLabel('Target type')).toHaveValue('vpc')
  await expect(added).toHaveCount(3)

  // The VPC is already a target and no longer listed, unlike its subnet of the same name.
  await vpcName.click()
  await expect(offered(page)).toHaveText('No items match')
  await page.keyboard.press('Escape')
  await targets.getByLabel('Target type').selectOption('VPC subnet')
  await targets.getByRole('combobox', { name: 'Subnet name' }).click()
  await expect(page.getByRole('option', { name: 'default' })).toBeVisible()
  await page.keyboard.press('Escape')

  await hosts.getByLabel('Host type').selectOption('IP subnet')
  const net = hosts.getByLabel('IP network')
  for (const [text, problem] of [
    ['10.0.0.0', 'Must contain an IP address and a width, separated by a /'],
    ['10.0.0.0/a', 'Width must be an integer'],
    ['10.0.0.0/33', 'Max width for IPv4 is 32'],
    ['fd00::/129', 'Max width for IPv6 is 128'],
  ] as const) {
    await net.fill(text)
    await net.press('Enter')
    await expect(net).toHaveAccessibleDescription(problem)
  }

  const ports = filters.getByRole('textbox', { name: 'Port filters' })
  for (const text of ['abc', '10-9', '70000']) {
    await ports.fill(text)
    await ports.press('Enter')
    await expect(ports).toHaveAccessibleDescription(/Not a valid port range$/)
  }
  // The second Clear belongs to the ports.
  await clear.nth(1).click()
  await expect(ports).toHaveValue('')
  await ports.fill('abc')
  await expect(ports).not.toHaveAttribute('aria-invalid')
  await ports.fill('123-456')
  await ports.press('Enter')
  await expect(form.getByRole('table', { name: 'Port filters' })).toContainText('123-456')
  // Once one was added, the next is validated while typing.
  await ports.fill('123-456')
  await expect(ports).toHaveAccessibleDescription(/Port range already added$/)
  await ports.fill('')

  const protocol = filters.getByLabel('Protocol filters').first()
  const addProtocol = filters.getByRole('button', { name: 'Add protocol filter' })
  await protocol.selectOption('ICMP')
  await addProtocol.click()
  await expect(form.getByRole('table', { name: 'Protocol filters' }).getByRole('row').nth(1)).toHaveText(
    'ICMP——',
  )
  await protocol.selectOption('ICMP')
  const type = filters.getByRole('combobox', { name: 'ICMP type' })
  await expect(filters.getByLabel('ICMP code')).toBeHidden()
  await type.fill('300')
  await page.keyboard.press('Enter')
  await expect(type).not.toHaveAttribute('aria-invalid')
  await addProtocol.click()
  await expect(type).toHaveAccessibleDescription(/ICMP type must be a number between 0 and 255$/)
  await type.fill('3 -')
  await page.getByRole('option', { name: '3 - Destination Unreachable' }).first().click()
  await expect(type).toHaveValue('3')
  const code = filters.getByLabel('ICMP code')
  for (const [text, problem] of [
    ['x', 'ICMP code must be a number or a range of numbers'],
    ['256', 'ICMP code must be between 0 and 255'],
    ['256-257', 'ICMP code range start must be between 0 and 255'],
    ['1-256', 'ICMP code range end must be between 0 and 255'],
    ['3-1', 'ICMP code range start must not be above its end'],
  ] as const) {
    await code.fill(text)
    await code.press('Enter')
    await expect(code).toHaveAccessibleDescription(new RegExp(`${problem}$`))
  }
  await code.fill('0–3')
  await code.press('Enter')
  await expect(
    form.getByRole('button', { name: 'Remove ICMP 3 - Destination Unreachable | Code 0-3' }),
  ).toBeVisible()

  // Submitting the form keeps input that was typed but not added.
  await net.fill('10.0.0.0/8')
  await form.getByRole('button', { name: 'Add rule' }).click()
  await expect(form.getByLabel('Name', { exact: true })).toHaveAccessibleDescription('Name is required')
  await form.getByLabel('Name', { exact: true }).fill('parts')
  await form.getByLabel('Priority').fill('65536')
  await form.getByRole('button', { name: 'Add rule' }).click()
  await expect(form.getByLabel('Priority')).toHaveAccessibleDescription(
    /Priority must be between 0 and 65535$/,
  )
  await form.getByLabel('Priority').fill('65535')
  await form.getByRole('button', { name: 'Add rule' }).click()
  await expect(net).toHaveAccessibleDescription(/This is not added yet/)
  await expect(net).toBeFocused()
  await hosts.getByRole('button', { name: 'Clear' }).click()
  await form.getByRole('button', { name: 'Add rule' }).click()
  await expect(notifications(page)).toContainText('Firewall rule parts created')
})

test(
  'concurrent changes to different rules are both kept',
  notOn({ preview: 'needs two browsers' }),
  async ({ open, project, api }) => {
    const one = await open('member', `${tab(project)}/allow-ssh/edit`)
    const other = await open('admin', `${tab(project)}/allow-icmp/edit`)
    const form = (page: Page) => page.getByRole('dialog', { name: 'Edit rule' })
    await form(one).getByLabel('Priority').fill('10')
    await form(other).getByLabel('Priority').fill('20')
    await form(other).getByRole('button', { name: 'Update rule' }).click()
    await expect(notifications(other)).toContainText('Firewall rule allow-icmp updated')
    await form(one).getByRole('button', { name: 'Update rule' }).click()
    await expect(notifications(one)).toContainText('Firewall rule allow-ssh updated')
    await expect(notifications(one)).toContainText('Changes by someone else were kept: allow-icmp')
    expect(await priorities(api, project)).toEqual([
      'allow-icmp 20',
      'allow-internal-inbound 65534',
      'allow-ssh 10',
    ])
    // The other user sees the change without a reload.
    await expect(names(other).first()).toHaveText('allow-ssh')
  },
)

test(
  'on concurrent changes to the same rule, the second user decides which to keep',
  story,
  async ({ open, project, api }) => {
    const page = await open('member', tab(project))
    const form = page.getByRole('dialog', { name: 'Edit rule' })
    const dialog = page.getByRole('dialog', { name: 'Someone else has changed this rule' })
    const begin = async (priority: string) => {
      await names(page).filter({ hasText: 'allow-ssh' }).click()
      await form.getByLabel('Priority').fill(priority)
      await form.getByLabel('Description').fill('mine')
    }
    const theirs = async (change: object) => {
      const rules = await listOf(api, project)
      await replace(
        api,
        project,
        rules.map((each) => (each.name === 'allow-ssh' ? { ...each, ...change } : each)),
      )
    }
    const send = () => form.getByRole('button', { name: 'Update rule' }).click()

    await begin('10')
    await theirs({ priority: 20, action: 'deny' })
    await send()
    await expect(dialog.getByRole('row', { name: 'Priority 65534 20 10' })).toBeVisible()
    await expect(dialog.getByRole('row', { name: 'Action Allow Deny Allow' })).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Save' })).toHaveAccessibleDescription(
      'Choose what to keep for each rule',
    )
    // Going back to review saves nothing and loses nothing.
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(form).toContainText('Someone else has changed allow-ssh. Nothing is saved yet.')
    await expect(form.getByLabel('Description')).toHaveValue('mine')
    expect((await listOf(api, project)).find(({ name }) => name === 'allow-ssh')).toMatchObject({
      priority: 20,
    })
    await send()
    await dialog.getByRole('radio', { name: 'Keep mine' }).check()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(notifications(page)).toContainText('Firewall rule allow-ssh updated')
    expect((await listOf(api, project)).find(({ name }) => name === 'allow-ssh')).toMatchObject({
      priority: 10,
      action: 'allow',
      description: 'mine',
    })

    await begin('11')
    await theirs({ priority: 30 })
    await send()
    await dialog.getByRole('radio', { name: 'Keep theirs' }).check()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(notifications(page)).toContainText('Left as changed by someone else: allow-ssh')
    await expect(form).toBeHidden()
    expect(await priorities(api, project)).toContain('allow-ssh 30')

    // Changes to different fields are merged.
    await begin('12')
    await theirs({ status: 'disabled' })
    await send()
    await expect(dialog.getByRole('radio', { name: /^Keep both/ })).toBeChecked()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(row(page, 'allow-ssh')).toContainText(/12.*Disabled/)

    // A rule that was deleted concurrently can be created again.
    await begin('13')
    await replace(
      api,
      project,
      (await listOf(api, project)).filter(({ name }) => name !== 'allow-ssh'),
    )
    await send()
    await expect(dialog).toContainText('Someone else deleted it while you were editing it.')
    await dialog.getByRole('radio', { name: 'Keep mine: create it again' }).check()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(row(page, 'allow-ssh')).toContainText('13')
  },
)

test(
  'deleting a rule that another user just changed needs a second confirmation',
  notOn({ preview: 'mocks responses of the control plane, which runs in the page' }),
  async ({ open, project, api }) => {
    const page = await open('member', tab(project))
    await rowAction(page, 'allow-ssh', 'Delete')
    const rules = await listOf(api, project)
    const [first] = rules
    // The list misses the stream's update, so the page shows the old rule.
    let isFirst = true
    await page.route('**/v1/vpc-firewall-rules?*', async (route) => {
      if (route.request().method() === 'PUT' && isFirst) {
        isFirst = false
        await replace(
          api,
          project,
          rules.map((each) => (each.name === 'allow-ssh' ? { ...each, description: 'needed' } : each)),
        )
      }
      await route.continue()
    })
    await confirm(page)
    const dialog = page.getByRole('dialog', { name: 'Someone else has changed this rule' })
    await expect(dialog).toContainText('Someone else changed it after you chose to delete it.')
    await dialog.getByRole('radio', { name: /^Keep theirs/ }).check()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(notifications(page)).toContainText('Left as changed by someone else: allow-ssh')
    await expect(names(page)).toHaveCount(rules.length)
    expect(first?.name).toBe('allow-icmp')
  },
)

test('rules can be reordered by keyboard', async ({ open, project, api }) => {
  await replace(api, project, [rule('one', 100), rule('two', 200), rule('three', 300)])
  const page = await open('member', tab(project))
  await press(page, page.getByRole('button', { name: 'Reorder' }))
  const shown = page.getByRole('table', { name: 'Firewall rules to reorder' }).locator('tbody tr')
  await expect(shown).toHaveText([/one/, /two/, /three/])
  const handle = page.getByRole('button', { name: 'Move three' })
  await tabTo(page, handle)
  await page.keyboard.press('ArrowUp')
  await expect(shown).toHaveText([/one/, /three300 150/, /two/])
  await expect(handle).toBeFocused()
  await expect(page.getByText('three moved to position 2 of 3, priority 150')).toBeAttached()
  await page.keyboard.press('Home')
  await expect(shown.first()).toHaveText(/three300 50/)
  // Back at its original position, nothing needs saving.
  await page.keyboard.press('End')
  await expect(page.getByRole('button', { name: 'Save order' })).toHaveAccessibleDescription(
    'Move a rule first',
  )
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Escape')
  const question = page.getByRole('dialog', { name: 'Confirm navigation' })
  await question.getByRole('button', { name: 'Continue editing' }).click()
  await press(page, page.getByRole('button', { name: 'Save order' }))
  await expect(notifications(page)).toContainText('Order of the firewall rules saved')
  await expect(names(page)).toHaveText(['one', 'three', 'two'])
  expect(await priorities(api, project)).toEqual(['one 100', 'three 150', 'two 200'])

  await page.getByRole('button', { name: 'Reorder' }).click()
  await expect(page.getByRole('button', { name: 'Move one' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(names(page)).toHaveCount(3)
  await expect(page.getByRole('button', { name: 'Reorder' })).toBeFocused()
})

test('rules can be reordered with the mouse, and concurrent changes are kept', async ({
  open,
  project,
  api,
}) => {
  await replace(api, project, [rule('one', 1), rule('two', 2), rule('three', 3)])
  const page = await open('member', tab(project))
  await page.getByRole('button', { name: 'Reorder' }).click()
  const shown = page.getByRole('table', { name: 'Firewall rules to reorder' }).locator('tbody tr')
  const drag = async (name: string, onto: string, half: number) => {
    const from = (await page.getByRole('button', { name: `Move ${name}` }).boundingBox())!
    const to = (await shown.filter({ hasText: onto }).boundingBox())!
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2)
    await page.mouse.down()
    await page.mouse.move(to.x + 40, to.y + to.height * half, { steps: 4 })
  }
  // Escape cancels the move, and nothing else.
  await drag('one', 'three', 0.8)
  await page.keyboard.press('Escape')
  await page.mouse.up()
  await expect(shown).toHaveText([/one/, /two/, /three/])
  await drag('three', 'two', 0.2)
  await page.mouse.up()
  // No priority is free between 1 and 2, so as few other rules as possible are renumbered.
  await expect(shown).toHaveText([/one1/, /three3 2/, /two2 3/])

  await replace(api, project, [...(await listOf(api, project)), rule('guest', 7)])
  await page.getByRole('button', { name: 'Save order' }).click()
  await expect(notifications(page)).toContainText('Changes by someone else were kept: guest')
  await expect(names(page)).toHaveText(['one', 'three', 'two', 'guest'])
})

test(
  'rules cannot be moved while their order is being saved',
  notOn({ preview: 'holds requests, which the preview does not send' }),
  async ({ open, project, api }) => {
    await replace(api, project, [rule('one', 100), rule('two', 200), rule('three', 300)])
    const page = await open('member', tab(project))
    await page.getByRole('button', { name: 'Reorder' }).click()
    const shown = page.getByRole('table', { name: 'Firewall rules to reorder' }).locator('tbody tr')
    await page.getByRole('button', { name: 'Move three' }).press('ArrowUp')
    await expect(shown).toHaveText([/one/, /three/, /two/])
    const from = (await page.getByRole('button', { name: 'Move one' }).boundingBox())!
    const to = (await shown.last().boundingBox())!

    let release: (() => void) | undefined
    const held = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/v1/vpc-firewall-rules?*', async (route) => {
      if (route.request().method() === 'PUT') await held
      await route.fallback()
    })
    await page.getByRole('button', { name: 'Save order' }).click()
    await page.keyboard.press('Shift+Tab')
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2)
    await page.mouse.down()
    await page.mouse.move(to.x + 40, to.y + to.height * 0.8, { steps: 4 })
    await page.mouse.up()
    await expect(shown).toHaveText([/one/, /three/, /two/])
    release?.()
    await expect(notifications(page)).toContainText('Order of the firewall rules saved')
    await expect(names(page)).toHaveText(['one', 'three', 'two'])
    expect(await priorities(api, project)).toEqual(['one 100', 'three 150', 'two 200'])
  },
)

test('rules can be reordered by touch', async ({ open, project, api }) => {
  await replace(api, project, [rule('one', 100), rule('two', 200), rule('three', 300)])
  const page = await open('member', tab(project))
  await page.setViewportSize({ width: 360, height: 740 })
  await page.getByRole('button', { name: 'Reorder' }).click()
  const shown = page.getByRole('table', { name: 'Firewall rules to reorder' }).locator('tbody tr')
  const handle = page.getByRole('button', { name: 'Move one' })
  // Centre the handle: near an edge, dragging scrolls the page and moves other rows under the finger.
  await handle.evaluate((element) => element.scrollIntoView({ block: 'center' }))
  const from = (await handle.boundingBox())!
  const to = (await shown.filter({ hasText: 'two' }).boundingBox())!
  const finger = await page.context().newCDPSession(page)
  const x = from.x + from.width / 2
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', y?: number) =>
    finger.send('Input.dispatchTouchEvent', { type, touchPoints: y === undefined ? [] : [{ x, y }] })
  await touch('touchStart', from.y + from.height / 2)
  await touch('touchMove', to.y + to.height * 0.5)
  await touch('touchMove', to.y + to.height * 0.9)
  await touch('touchEnd')
  await expect(shown).toHaveText([/two/, /one100 250/, /three/])
})

test('several rules are disabled, enabled and deleted in one change', async ({ open, project, api }) => {
  await replace(api, project, [
    rule('a', 1),
    rule('b', 2, { status: 'disabled' }),
    rule('c', 3),
    rule('d', 4),
  ])
  const page = await open('member', tab(project))
  const box = (name: string) => page.getByRole('checkbox', { name: `Select ${name}`, exact: true })
  const bar = page.getByRole('toolbar', { name: 'Selected rules' })
  let puts = 0
  page.on('request', (request) => {
    // Questions ask first what a change would do.
    if (request.method() === 'PUT' && !new URL(request.url()).pathname.startsWith(planPrefix)) puts++
  })
  for (const name of ['a', 'b', 'c']) await box(name).check()
  await expect(bar).toContainText('3 selected')
  await bar.getByRole('button', { name: 'Disable 2 of 3' }).click()
  await expect(page.getByRole('dialog')).toContainText('a, c')
  await confirm(page)
  await expect(notifications(page)).toContainText('2 firewall rules disabled')
  for (const name of ['a', 'b', 'c']) await expect(row(page, name)).toContainText('Disabled')
  await expect(row(page, 'd')).toContainText('Enabled')
  await expect(bar).toBeHidden()

  await box('a').check()
  await expect(bar.getByRole('button', { name: 'Disable' })).toHaveAccessibleDescription(
    'They are already disabled',
  )
  await box('d').check()
  await bar.getByRole('button', { name: 'Delete', exact: true }).click()
  await confirm(page)
  await expect(notifications(page)).toContainText('2 firewall rules deleted')
  await expect(names(page)).toHaveText(['b', 'c'])
  await page.getByRole('columnheader').getByRole('checkbox').check()
  await bar.getByRole('button', { name: 'Enable', exact: true }).click()
  await confirm(page)
  await expect(row(page, 'b')).toContainText('Enabled')
  expect(puts).toBe(3)
})

test(
  'an instance shows the rules that apply and the verdict for a packet, before and after a new rule',
  story,
  async ({ open, project, machine }) => {
    await machine('web', { external_ips: [{ type: 'ephemeral' }] })
    await machine('alone', { network_interfaces: { type: 'none' } })
    const page = await open('member', `/projects/${project}/instances/web/networking`)
    await page.getByRole('link', { name: '3 firewall rules apply to this instance' }).click()
    const applied = page.getByRole('table', { name: 'Rules that apply to web' })
    await expect(applied.getByRole('row', { name: /allow-ssh/ })).toContainText('VPCdefault covers net0')
    await page.getByRole('combobox', { name: 'Instance', exact: true }).click()
    await expect(offered(page)).toHaveText(['web'])
    await page.keyboard.press('Escape')

    const packet = page.getByRole('region', { name: 'Would this packet pass?' })
    await packet.getByRole('button', { name: 'Check packet' }).click()
    await expect(packet.getByRole('textbox', { name: 'Port' })).toHaveAccessibleDescription(
      'Port must be a number between 1 and 65535',
    )
    await packet.getByRole('combobox', { name: 'To instance' }).click()
    await page.getByRole('option', { name: 'web' }).click()
    await packet.getByRole('textbox', { name: 'Port' }).fill('443')
    await packet.getByRole('textbox', { name: 'Port' }).press('Enter')
    await expect(packet.getByRole('status')).toContainText('Does not pass')
    await expect(packet.getByRole('status')).toContainText('No inbound rule allows it.')
    await expect(page).toHaveURL(/packet=tcp%3A443/)
    // The URL contains the packet, so it can be shared.
    await refresh(page)
    await expect(packet.getByRole('status')).toContainText('Does not pass')
    // A verdict never stands beside a packet that it is not about.
    await packet.getByRole('textbox', { name: 'Port' }).fill('22')
    await expect(packet.getByRole('status')).toHaveCount(0)
    await packet.getByRole('textbox', { name: 'Port' }).fill('443')
    await expect(packet.getByRole('status')).toContainText('Does not pass')

    await page.getByRole('link', { name: 'New rule' }).click()
    const form = page.getByRole('dialog', { name: 'Add firewall rule' })
    const verdict = form.getByRole('status').first()
    await form.getByText('Would this packet pass?').click()
    await form.getByRole('combobox', { name: 'To instance' }).click()
    await page.getByRole('option', { name: 'web' }).click()
    await form.getByRole('textbox', { name: 'Port', exact: true }).fill('443')
    await form.getByRole('button', { name: 'Check packet' }).click()
    await expect(verdict).toContainText('Passes')
    await form.getByRole('combobox', { name: 'Protocol', exact: true }).selectOption('UDP')
    await expect(form.getByText('Passes', { exact: true })).toHaveCount(0)
    await form.getByRole('combobox', { name: 'Protocol', exact: true }).selectOption('TCP')
    await expect(verdict).toContainText('Passes')
    await form.getByLabel('Name', { exact: true }).fill('https')
    await form.getByRole('button', { name: 'Remove item 1' }).click()
    await expect(verdict).toContainText('Does not pass')
    await expect(verdict).toContainText(
      'This rule matches the packet, and is skipped because it has no target.',
    )
    await form.getByLabel('Target type').selectOption('Instance')
    await form.getByRole('combobox', { name: 'Instance name' }).fill('web')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await expect(verdict).toContainText('Passes')
    await expect(verdict).toContainText('https (this rule, as entered), allow inbound, priority 32768')
    await expect(verdict).toContainText('Internet gatewaydefault')
    await form.getByRole('radio', { name: 'Deny' }).check()
    await expect(verdict).toContainText('Does not pass')
    await form.getByRole('radio', { name: 'Allow' }).check()
    await form.getByRole('button', { name: 'Add rule' }).click()

    // The rule takes effect as soon as it exists.
    await expect(packet.getByRole('status')).toContainText('Passes')
    await expect(packet.getByRole('link', { name: 'https' })).toBeVisible()
    await expect(applied.getByRole('row', { name: /https/ })).toContainText('Instanceweb covers net0')
  },
)

test('a rule saved without a target is marked in the table, and the packet check names it', async ({
  open,
  project,
  machine,
  api,
}) => {
  await machine('web', { external_ips: [{ type: 'ephemeral' }] })
  const page = await open('member', `/projects/${project}/vpcs/default/firewall-rules-new`)
  const form = page.getByRole('dialog', { name: 'Add firewall rule' })
  await form.getByLabel('Name', { exact: true }).fill('aimless')
  await form.getByLabel('Priority').fill('100')
  await form.getByRole('button', { name: 'Remove item 1' }).click()
  await expect(form).toContainText('Without a target, this rule applies to no instance and has no effect.')
  await form.getByRole('button', { name: 'Add rule' }).click()

  await expect(row(page, 'aimless')).toContainText('No targets')
  await expect(row(page, 'aimless').getByText('Enabled')).toHaveCount(0)
  await row(page, 'aimless').getByText('No targets').hover()
  await expect(page.getByRole('tooltip')).toContainText('applies to no instance and has no effect')
  await expect(row(page, 'allow-ssh')).toContainText('Enabled')
  // Of many filters one of each sort is on screen.
  const filters = {
    protocols: [{ type: 'tcp' }, { type: 'udp' }],
    ports: ['53', '853'],
    hosts: [{ type: 'ip_net', value: '198.51.100.0/24' }],
  }
  await replace(api, project, [...(await listOf(api, project)), rule('dns', 200, { filters })])
  await expect(row(page, 'dns')).toContainText(/198\.51\.100\.0\/24 ?TCP ?Port53 ?\+2/)

  const packet = page.getByRole('region', { name: 'Would this packet pass?' })
  await packet.getByRole('combobox', { name: 'To instance' }).click()
  await page.getByRole('option', { name: 'web' }).click()
  await packet.getByRole('textbox', { name: 'Port' }).fill('443')
  await packet.getByRole('button', { name: 'Check packet' }).click()
  await expect(packet.getByRole('status')).toContainText('Does not pass')
  await expect(packet.getByRole('status')).toContainText(
    'Rule aimless matches the packet, and is skipped because it has no target.',
  )
})

test('a denied packet names the rules that nearly allow it, and opens each with the change', async ({
  open,
  project,
  machine,
  api,
}) => {
  await machine('web', { external_ips: [{ type: 'ephemeral' }] })
  const rule = (name: string, more: object) => ({
    name,
    description: '',
    status: 'enabled',
    direction: 'inbound',
    action: 'allow',
    priority: 100,
    targets: [{ type: 'instance', value: 'web' }],
    filters: { ports: ['443'], hosts: [{ type: 'ip_net', value: '198.51.100.0/24' }] },
    ...more,
  })
  await api('member', 'PUT', `/v1/vpc-firewall-rules?project=${project}&vpc=default`, {
    rules: [rule('office', {}), rule('everybody', { status: 'disabled', filters: { ports: ['443'] } })],
  })
  const page = await open('member', `${tab(project)}?from=ip:203.0.113.9&to=instance:web&packet=tcp:443`)
  const verdict = page.getByRole('region', { name: 'Would this packet pass?' }).getByRole('status')
  await expect(verdict).toContainText('Rule everybody would allow it, but it is disabled.')
  await expect(verdict).toContainText(
    'Rule office would allow it, but its host filters do not include IP 203.0.113.9.',
  )
  await verdict.getByRole('link', { name: 'Enable rule everybody' }).click()
  const form = page.getByRole('dialog', { name: 'Edit rule' })
  await expect(form.getByRole('checkbox', { name: 'Enabled' })).toBeChecked()
  await expect(form).toContainText('Nothing is saved until you update the rule.')
  await form.getByRole('button', { name: 'Cancel' }).click()
  await expect(verdict).toContainText('Does not pass')

  await verdict.getByRole('link', { name: 'Add 203.0.113.9 to rule office' }).click()
  await expect(form).toContainText('IP 203.0.113.9 is added to the host filters below.')
  await expect(form.getByRole('table', { name: 'Host filters' })).toContainText('203.0.113.9')
  await form.getByRole('button', { name: 'Update rule' }).click()
  await expect(verdict).toContainText('Passes')
  await expect(verdict.getByRole('link')).toHaveText(['office'])
})

test(
  'a server without packet evaluation shows no panels for it',
  notOn({ preview: 'mocks responses of the control plane, which runs in the page' }),
  async ({ open, project, machine }) => {
    await machine('web')
    const page = await open('member', '/projects')
    for (const path of ['vpc-packet-checks', 'instances/*/firewall-rules'])
      await page.route(`**/ext/v1/${path}*`, (route) => route.fulfill({ status: 404, body: '' }))
    await visit(page, tab(project))
    await expect(names(page)).toHaveCount(3)
    await expect(page.getByText('Would this packet pass?')).toBeHidden()
    await page.getByRole('link', { name: 'New rule' }).click()
    await expect(page.getByRole('region', { name: 'Host filters' })).toBeVisible()
    await expect(page.getByText('Would this packet pass?')).toBeHidden()
    await visit(page, `/projects/${project}/instances/web/networking`)
    await expect(page.getByText('net0')).toBeVisible()
    await expect(page.getByText('to this instance')).toBeHidden()
  },
)

test('a viewer sees the rules, and why they are read-only', story, async ({ open, project, machine }) => {
  await machine('web')
  const page = await open('viewer', tab(project))
  await expect(page.getByRole('button', { name: 'New rule' })).toHaveAccessibleDescription(/role/i)
  await expect(page.getByRole('button', { name: 'Reorder' })).toHaveAccessibleDescription(/role/i)
  await openRowMenu(page, 'allow-ssh')
  for (const item of ['Edit', 'Clone', 'Delete'])
    await expect(menuItem(page, item)).toHaveAccessibleDescription(/role/i)
  await page.keyboard.press('Escape')
  await page.getByRole('checkbox', { name: 'Select allow-ssh' }).check()
  await expect(page.getByRole('button', { name: 'Disable' })).toHaveAccessibleDescription(/role/i)
  await page.getByRole('button', { name: 'Clear selection' }).click()
  // Packets can still be evaluated.
  await page.getByRole('combobox', { name: 'Instance', exact: true }).click()
  await page.getByRole('option', { name: 'web' }).click()
  await expect(page.getByRole('table', { name: 'Rules that apply to web' })).toContainText('allow-ssh')
  await names(page).filter({ hasText: 'allow-ssh' }).click()
  await expect(page.getByRole('button', { name: 'Update rule' })).toHaveAccessibleDescription(/role/i)
})

test('a rule can be added by keyboard alone', async ({ open, project, api }) => {
  const page = await open('member', tab(project))
  await press(page, page.getByRole('link', { name: 'New rule' }))
  const form = page.getByRole('dialog', { name: 'Add firewall rule' })
  await tabTo(page, form.getByLabel('Name', { exact: true }))
  await page.keyboard.type('by-hand')
  await tabTo(page, form.getByRole('radio', { name: 'Allow' }))
  await page.keyboard.press('ArrowDown')
  await tabTo(page, form.getByLabel('Priority'))
  await page.keyboard.press('ArrowUp')
  await press(page, form.getByRole('button', { name: 'Remove item 1' }))
  await tabTo(page, form.getByLabel('Target type'))
  await page.keyboard.type('VPC s')
  await tabTo(page, form.getByRole('combobox', { name: 'Subnet name' }))
  await expect(page.getByRole('option', { name: 'default' })).toBeVisible()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await expect(form.getByRole('table', { name: 'Targets' })).toContainText('Subnetdefault')
  await tabTo(page, form.getByRole('textbox', { name: 'Port filters' }))
  await page.keyboard.type('25')
  await page.keyboard.press('Enter')
  await press(page, form.getByRole('button', { name: 'Add rule' }))
  await expect(notifications(page)).toContainText('Firewall rule by-hand created')
  expect((await listOf(api, project)).find(({ name }) => name === 'by-hand')).toMatchObject({
    action: 'deny',
    priority: 32_769,
    targets: [{ type: 'subnet', value: 'default' }],
    filters: { ports: ['25'] },
  })
})

test('Tab and Enter never replace what a box shows by another option', async ({ open, project, api }) => {
  await api('member', 'POST', `/v1/vpc-subnets?project=${project}&vpc=default`, {
    name: 'backend-default',
    description: '',
    ipv4_block: '172.30.8.0/22',
  })
  const page = await open('member', `/projects/${project}/vpcs/default/firewall-rules-new`)
  const form = page.getByRole('dialog', { name: 'Add firewall rule' })
  const filters = part(form, 'Filters')
  await filters.getByLabel('Protocol filters').first().selectOption('ICMP')
  const type = filters.getByRole('combobox', { name: 'ICMP type' })
  await type.fill('99')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Shift+Tab')
  await expect(offered(page)).toHaveText(['Custom: 99'])
  await page.keyboard.press('Enter')
  await expect(type).toHaveValue('99')

  const targets = part(form, 'Targets')
  await targets.getByLabel('Target type').selectOption('VPC subnet')
  const subnet = targets.getByRole('combobox', { name: 'Subnet name' })
  for (const key of ['Tab', 'Enter']) {
    await subnet.fill('')
    await subnet.fill('default')
    await expect(offered(page)).toHaveText(['backend-default', 'default'])
    await page.keyboard.press(key)
    await expect(subnet).toHaveValue('default')
  }
})

test('the order and the selection of one VPC do not follow to another', async ({ open, project, api }) => {
  const vpcs = [`a-${project}`, `b-${project}`] as const
  for (const name of vpcs) {
    await api('member', 'POST', `/v1/vpcs?project=${project}`, { name, description: '', dns_name: name })
  }
  const page = await open('member', tab(project, vpcs[0]))
  const goTo = async (vpc: string) => {
    await page.keyboard.press('Control+k')
    await expect(page.getByRole('combobox', { name: 'Search' })).toBeFocused()
    await page.keyboard.type(vpc)
    // The default subnet of a VPC is found by its name, too.
    await expect(page.getByRole('option', { name: new RegExp(`^${vpc}`) })).toHaveAttribute(
      'aria-selected',
      'true',
    )
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: vpc, exact: true, level: 1 })).toBeVisible()
    await expect(row(page, 'allow-ssh')).toBeVisible()
  }
  await page.getByRole('button', { name: 'Reorder' }).click()
  await expect(page.getByRole('button', { name: 'Save order' })).toBeVisible()
  await goTo(vpcs[1])
  await expect(page.getByRole('button', { name: 'Save order' })).toHaveCount(0)

  await page.getByRole('checkbox', { name: 'Select allow-ssh', exact: true }).check()
  const bar = page.getByRole('toolbar', { name: 'Selected rules' })
  await expect(bar).toContainText('1 selected')
  await goTo(vpcs[0])
  await expect(bar).toBeHidden()
})
