import type { Page } from '@playwright/test'
import { PersistentUser } from './chaos/patient.ts'
import { makeTrouble, type Trouble } from './chaos/trouble.ts'
import { MiB } from '../support/image-file.ts'
import { choose, row } from '../support/steps.ts'
import type { Stage } from '../support/stage.ts'
import { expect } from '../support/test.ts'
import { fill as fillUpload, test } from '../support/upload-steps.ts'

/** Of all calls, which are also delayed by 200 to 400 ms; half of the failed ones take effect on the server. */
const share = 0.12
const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJk8Zq4q1l0d3xq0m3Yw9b6m0cQ1yqQm8d8m5mJ3xW5f chaos'

const named = (name: string, more?: (page: Page) => Promise<void>) => async (page: Page) => {
  await page.getByLabel('Name', { exact: true }).first().fill(name)
  await more?.(page)
}

/** All names in a list, to reveal duplicates and leftovers. */
async function namesOf(api: Stage['api'], path: string): Promise<string[]> {
  const { items } = (await api('member', 'GET', path)) as { items: { name: string }[] }
  return items.map(({ name }) => name).toSorted()
}

/** Without failures the test would prove nothing. */
const expectSomeFailures = ({ calls, failures }: Trouble): void =>
  expect(failures, `failures of ${calls} calls`).toBeGreaterThan((calls * share) / 3)

test.describe.configure({ mode: 'parallel' })
test.beforeEach(() => test.setTimeout(1_200_000))

for (const seed of ['one', 'two', 'three']) {
  test(`instances and their disks can be managed while calls fail (${seed})`, async ({
    open,
    api,
    project,
    file,
  }) => {
    const page = await open('member', '/favicon.ico')
    const trouble = await makeTrouble(page, seed, share)
    const user = new PersistentUser(page, 'member')
    const own = `${project}-own`
    const at = `/projects/${own}`
    const isIn = (name: string, state: string) => () => row(page, name).filter({ hasText: state }).isVisible()
    const isGone = (name: string) => () => row(page, name).isHidden()

    await user.make({
      at: '/projects-new',
      submit: 'Create project',
      fill: named(own),
      listed: { at: '/projects', name: own },
    })
    const instances = `${at}/instances`
    await user.make({
      at: `${at}/instances-new`,
      submit: 'Create instance',
      fill: named('web', async () => {
        await choose(page, 'Image', /alpine-3-22/)
        await page.getByLabel('Start instance').uncheck()
        await page.getByLabel('Disk name').fill('web-boot')
        if (await page.getByRole('table', { name: 'Disks' }).getByText('web-data').isVisible()) return
        await page.getByRole('button', { name: 'Create new disk' }).click()
        const disk = page.getByRole('dialog', { name: 'Create disk' })
        await disk.getByLabel('Name', { exact: true }).fill('web-data')
        await disk.getByRole('button', { name: 'Create disk' }).click()
      }),
      listed: { at: instances, name: 'web' },
    })
    await user.act(instances, 'web', 'Start', isIn('web', 'Running'))
    await user.act(instances, 'web', 'Stop', isIn('web', 'Stopped'))
    await user.act(instances, 'web', 'Delete', isGone('web'))

    await user.make({
      at: `${at}/disks-new`,
      submit: 'Create disk',
      fill: named('data'),
      listed: { at: `${at}/disks`, name: 'data' },
    })
    await user.make({
      at: `${at}/snapshots-new`,
      submit: 'Create snapshot',
      fill: named('monday', () => choose(page, 'Disk', /^data/)),
      listed: { at: `${at}/snapshots`, name: 'monday' },
    })
    const described = async () => {
      await page.getByLabel('OS', { exact: true }).fill('Plan 9')
      await page.getByLabel('Version').fill('4')
    }
    await user.make({
      at: `${at}/snapshots/monday/images-new`,
      submit: 'Create image',
      fill: named('of-monday', described),
      listed: { at: `${at}/images`, name: 'of-monday' },
    })
    const disc = file(3 * MiB)
    await user.make({
      at: `${at}/images-new`,
      submit: 'Upload image',
      fill: () => fillUpload(page, 'disc', disc),
      finishButton: 'Done',
      leftoverButtons: ['Finish', 'Discard'],
      listed: { at: `${at}/images`, name: 'disc' },
    })

    const inOwn = `?project=${own}&limit=100`
    expect(await namesOf(api, `/v1/instances${inOwn}`)).toEqual([])
    expect(await namesOf(api, `/v1/disks${inOwn}`)).toEqual(['data', 'web-boot', 'web-data'])
    expect(await namesOf(api, `/v1/snapshots${inOwn}`)).toEqual(['monday'])
    expect(await namesOf(api, `/v1/images${inOwn}`)).toEqual(['disc', 'of-monday'])
    expectSomeFailures(trouble)
  })

  test(`networks and access can be managed while calls fail (${seed})`, async ({ open, api, project }) => {
    const page = await open('member', '/favicon.ico')
    const trouble = await makeTrouble(page, seed, share)
    const user = new PersistentUser(page, 'member')
    const at = `/projects/${project}`
    const keyName = `key-${project.slice(2)}`

    await user.make({
      at: '/settings/ssh-keys-new',
      submit: 'Add SSH key',
      fill: named(keyName, () => page.getByLabel('Public key').fill(key)),
      listed: { at: '/settings/ssh-keys', name: keyName },
    })
    await user.make({
      at: `${at}/vpcs-new`,
      submit: 'Create VPC',
      fill: named('shop', () => page.getByLabel('DNS name', { exact: true }).fill('shop')),
      listed: { at: `${at}/vpcs`, name: 'shop' },
    })
    await user.make({
      at: `${at}/vpcs/shop/subnets-new`,
      submit: 'Create subnet',
      fill: named('front', () => page.getByLabel('IPv4 block').fill('10.1.0.0/16')),
      listed: { at: `${at}/vpcs/shop/subnets`, name: 'front' },
    })
    await user.make({
      at: `${at}/vpcs/shop/firewall-rules-new`,
      submit: 'Add rule',
      fill: named('web-in', async () => {
        await page.getByLabel('Priority').fill('100')
        const targets = page.getByRole('region', { name: 'Targets', exact: true })
        if (await targets.getByRole('table').isVisible()) return
        await targets.getByRole('combobox', { name: 'VPC name' }).fill('shop')
        await targets.getByRole('button', { name: 'Add target' }).click()
      }),
      listed: { at: `${at}/vpcs/shop/firewall-rules`, name: 'web-in' },
    })
    await user.make({
      at: `${at}/floating-ips-new`,
      submit: 'Create floating IP',
      fill: named('door'),
      listed: { at: `${at}/floating-ips`, name: 'door' },
    })
    await user.make({
      at: `${at}/access`,
      opener: 'Add user or group',
      submit: 'Assign role',
      fill: async () => {
        await choose(page, 'User or group', /^petra/)
        await choose(page, 'Role', 'Viewer')
      },
      listed: { at: `${at}/access`, name: 'petra' },
    })
    await user.make({
      at: `${at}/edit`,
      submit: 'Update project',
      fill: named(`${project}-moved`),
      listed: { at: '/projects', name: `${project}-moved` },
    })

    const inOwn = `?project=${project}-moved&limit=100`
    const inShop = `${inOwn}&vpc=shop`
    const keys = await namesOf(api, '/v1/me/ssh-keys?limit=100')
    expect(keys.filter((name) => name === keyName)).toEqual([keyName])
    expect(await namesOf(api, `/v1/vpcs${inOwn}`)).toEqual(['default', 'shop'])
    expect(await namesOf(api, `/v1/vpc-subnets${inShop}`)).toEqual(['default', 'front'])
    expect(await namesOf(api, `/v1/floating-ips${inOwn}`)).toEqual(['door'])
    const { rules } = (await api(
      'member',
      'GET',
      `/v1/vpc-firewall-rules${inShop.replace('&limit=100', '')}`,
    )) as {
      rules: { name: string }[]
    }
    expect(rules.filter(({ name }) => name === 'web-in')).toHaveLength(1)
    const { role_assignments } = (await api('member', 'GET', `/v1/projects/${project}-moved/policy`)) as {
      role_assignments: { role_name: string }[]
    }
    expect(role_assignments.map(({ role_name }) => role_name)).toEqual(['viewer'])
    expectSomeFailures(trouble)
  })
}
