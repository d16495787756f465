import {
  choose,
  confirm,
  expectRow,
  menuItem,
  notifications,
  openRowMenu,
  row,
  rowAction,
  visit,
} from '../support/steps.ts'
import { notOn } from '../support/target.ts'
import { expect, test } from '../support/test.ts'

/** Each test has its own block, because members of all pools must not overlap. */
const block = (project: string): string => {
  const digits = Number.parseInt(project.slice(-6), 16)
  return `11.${(digits >> 8) & 255}.${digits & 255}`
}

test(
  'an operator fills a subnet pool, and a user routes a block of it to an instance',
  notOn({ preview: 'needs two browsers' }),
  async ({ open, project, machine }) => {
    const pool = `subnets-${project}`
    const net = block(project)
    const page = await open('admin', '/system/networking/subnet-pools')
    await expect(page).toHaveTitle(/^Subnet Pools \/ /)
    await page.getByRole('link', { name: 'New subnet pool' }).first().click()
    const create = page.getByRole('dialog', { name: 'Create subnet pool' })
    await create.getByLabel('Name', { exact: true }).fill('external')
    await create.getByRole('button', { name: 'Create subnet pool' }).click()
    await expect(create.getByLabel('Name', { exact: true })).toHaveAccessibleDescription(/already exists/)
    await create.getByLabel('Name', { exact: true }).fill(pool)
    await create.getByRole('button', { name: 'Create subnet pool' }).click()
    await expect(notifications(page)).toContainText(`Subnet pool ${pool} created`)
    await row(page, pool).getByRole('link').click()

    await page.getByRole('link', { name: 'Add member' }).first().click()
    const add = page.getByRole('dialog', { name: 'Add member' })
    await add.getByLabel('Network').fill(`${net}.1/24`)
    await add.getByRole('button', { name: 'Add member' }).click()
    await expect(add.getByLabel('Network')).toHaveAccessibleDescription(/has host bits set/)
    await add.getByLabel('Network').fill(`${net}.0/24`)
    await add.getByLabel('Shortest prefix').fill('26')
    await expect(add.getByText('Projects get subnets from /26 to /32.')).toBeVisible()
    await add.getByRole('button', { name: 'Add member' }).click()
    await expectRow(page, `${net}.0/24`, { 'Subnets allowed': '/26 to /32' })
    await page.getByRole('tab', { name: 'Linked silos' }).click()
    await page.getByRole('button', { name: 'Link silo' }).first().click()
    const link = page.getByRole('dialog', { name: 'Link silo' })
    await choose(page, 'Silo', /^demo/)
    await link.getByRole('button', { name: 'Link', exact: true }).click()
    await expect(notifications(page)).toContainText('Silo demo linked')

    await machine('left')
    const own = await open('member', `/projects/${project}/external-subnets`)
    await own.getByRole('link', { name: 'New external subnet' }).first().click()
    const form = own.getByRole('dialog', { name: 'Create external subnet' })
    await form.getByLabel('Name', { exact: true }).fill('edge')
    await form.getByLabel('Prefix length').fill('25')
    await choose(own, 'Subnet pool', new RegExp(`^${pool}`))
    await form.getByRole('button', { name: 'Create external subnet' }).click()
    // Nothing that was typed is lost.
    await expect(form.getByLabel('Prefix length')).toHaveAccessibleDescription(
      /No subnet with prefix length 25/,
    )
    await expect(form.getByLabel('Name', { exact: true })).toHaveValue('edge')
    await form.getByLabel('Prefix length').fill('28')
    await form.getByRole('button', { name: 'Create external subnet' }).click()
    await expect(notifications(own)).toContainText('External subnet edge created')
    await expectRow(own, 'edge', { Block: new RegExp(`^${net}.0/28`), 'Attached to instance': '—' })

    await rowAction(own, 'edge', 'Attach')
    await choose(own, 'Instance', /^left/)
    await own.getByRole('dialog').getByRole('button', { name: 'Attach', exact: true }).click()
    await expectRow(own, 'edge', { 'Attached to instance': 'left' })
    await openRowMenu(own, 'edge')
    await expect(menuItem(own, 'Delete')).toHaveAccessibleDescription(/must be detached/)
    await own.keyboard.press('Escape')

    await visit(page, `/system/networking/subnet-pools/${pool}`)
    await rowAction(page, `${net}.0/24`, 'Remove')
    await confirm(page)
    await expect(notifications(page)).toContainText(/Members cannot be removed while/i)

    await rowAction(own, 'edge', 'Detach')
    await confirm(own)
    await expectRow(own, 'edge', { 'Attached to instance': '—' })
    await rowAction(own, 'edge', 'Delete')
    await confirm(own)
    await expect(own.getByText('No external subnets')).toBeVisible()
  },
)
