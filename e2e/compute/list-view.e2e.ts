import type { Page } from '@playwright/test'
import { expect, test } from '../support/test.ts'
import { notOn, story } from '../support/target.ts'

const heads = async (page: Page): Promise<string> =>
  (await page.locator('thead th:not([data-part=select], [data-part=menu])').allTextContents()).join(' ')
const columns = (page: Page) => page.getByRole('button', { name: 'Columns' })
const chooser = (page: Page) => page.getByRole('dialog', { name: 'Columns' })
const widthOf = (page: Page, name: string) =>
  page
    .getByRole('columnheader', { name, exact: true })
    .evaluate((head) => Math.round(head.getBoundingClientRect().width))

test(
  'columns of a list are selected, ordered and sized once, and stay so',
  { ...story, ...notOn({ preview: 'reloads' }) },
  async ({ open, machine, project }) => {
    await machine('anchor')
    const page = await open('member', `/projects/${project}/instances`)
    await expect.poll(() => heads(page)).toBe('Name CPU Memory State Created')

    await columns(page).click()
    await chooser(page).getByRole('checkbox', { name: 'Memory' }).uncheck()
    await chooser(page).getByRole('checkbox', { name: 'CPU use' }).check()
    // Moved by keyboard, which keeps the focus at the column.
    const grip = chooser(page).getByRole('button', { name: 'Move or size State' })
    await grip.focus()
    await page.keyboard.press('Alt+ArrowUp')
    await page.keyboard.press('Alt+ArrowUp')
    await page.keyboard.press('Alt+ArrowUp')
    await expect(grip).toBeFocused()
    await expect(chooser(page).getByRole('status')).toHaveText('State is column 1 of 12')
    await expect.poll(() => heads(page)).toBe('Name State CPU CPU use Created')
    // Dragged to another place.
    await chooser(page).getByRole('button', { name: 'Move or size Created' }).hover()
    const place = await chooser(page)
      .getByRole('button', { name: 'Move or size CPU', exact: true })
      .boundingBox()
    if (!place) throw new Error('the row is on screen')
    await page.mouse.down()
    await page.mouse.move(place.x + 8, place.y + 8, { steps: 8 })
    await page.mouse.up()
    await expect.poll(() => heads(page)).toBe('Name State Created CPU CPU use')
    const before = await widthOf(page, 'State')
    await grip.focus()
    await page.keyboard.press('Alt+ArrowRight')
    await expect.poll(() => widthOf(page, 'State')).toBe(before + 16)
    await chooser(page).getByRole('radio', { name: 'Compact' }).click()
    await page.keyboard.press('Escape')
    await expect(columns(page)).toBeFocused()

    // The edge of a head is dragged, and a double click resets it.
    const head = await page.getByRole('columnheader', { name: 'State', exact: true }).boundingBox()
    if (!head) throw new Error('the head is on screen')
    const edge = { x: head.x + head.width - 2, y: head.y + head.height / 2 }
    await page.mouse.move(edge.x, edge.y)
    await page.mouse.down()
    await page.mouse.move(edge.x + 40, edge.y, { steps: 4 })
    await page.mouse.up()
    await expect.poll(() => widthOf(page, 'State')).toBe(before + 56)
    await page.mouse.dblclick(edge.x + 40, edge.y)
    await expect.poll(() => widthOf(page, 'State')).toBeLessThan(before + 16)

    await page.reload()
    await expect.poll(() => heads(page)).toBe('Name State Created CPU CPU use')
    await expect(page.locator('.sheet[data-dense]')).toBeVisible()

    // Also on another device, before the first row shows.
    const elsewhere = await open('member', `/projects/${project}/instances`)
    await elsewhere.evaluate(() => localStorage.removeItem('gantry-lists'))
    await elsewhere.reload()
    await elsewhere.getByRole('columnheader', { name: 'Name' }).waitFor()
    expect(await heads(elsewhere)).toBe('Name State Created CPU CPU use')

    await columns(page).click()
    await chooser(page).getByRole('button', { name: 'Reset' }).click()
    await expect.poll(() => heads(page)).toBe('Name CPU Memory State Created')
    await expect.poll(() => heads(elsewhere)).toBe('Name CPU Memory State Created')
  },
)

test('a filter is saved as a view, and opened from the sidebar and by its link', async ({
  open,
  machine,
  project,
}) => {
  await machine('anchor')
  await machine('beacon')
  const page = await open('member', `/projects/${project}/instances?filter=name:anchor&sort=-created`)
  const views = page.getByRole('button', { name: /Views|only anchors|anchors alone/ })
  const pick = async (entry: string) => {
    await views.click()
    await page.getByRole('menu', { name: 'Views' }).getByText(entry, { exact: true }).click()
  }
  const names = () => page.locator('tbody a.name').allTextContents()
  await expect.poll(names).toEqual(['anchor'])
  await pick('Save as new view')
  const dialog = page.getByRole('dialog', { name: 'Save view' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('only anchors')
  await dialog.getByRole('button', { name: 'Save' }).click()
  const sidebar = page.getByRole('navigation', { name: 'Sidebar navigation' })
  const instances = sidebar.getByRole('link', { name: 'Instances', exact: true })
  const pinned = page.getByRole('list', { name: 'Saved views of Instances' })
  await expect(pinned.getByRole('link')).toHaveText(['only anchors'])
  await expect(pinned.getByRole('link')).toHaveAttribute('aria-current', 'true')

  // Without the view, and back to it.
  await instances.click()
  await expect.poll(names).toEqual(['anchor', 'beacon'])
  await pinned.getByRole('link').click()
  await expect.poll(names).toEqual(['anchor'])
  await expect(page).toHaveURL(/view=only(\+|%20)anchors/)

  // Its columns are its own.
  await columns(page).click()
  await chooser(page).getByRole('checkbox', { name: 'Memory' }).uncheck()
  await page.keyboard.press('Escape')
  await expect.poll(() => heads(page)).toBe('Name CPU State Created')
  await pick('Leave view')
  await expect.poll(() => heads(page)).toBe('Name CPU Memory State Created')
  await pinned.getByRole('link').click()
  await expect.poll(() => heads(page)).toBe('Name CPU State Created')

  // What is changed is said, and saved.
  const find = page.getByRole('combobox', { name: 'Filter instances' })
  await find.fill('name:beacon')
  await expect(views).toHaveText(/changed/)
  await pick('Save changes')
  await expect(views).not.toHaveText(/changed/)
  await pick('Rename view')
  await page.getByRole('dialog', { name: 'Rename view' }).getByRole('textbox').fill('anchors alone')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect(pinned.getByRole('link')).toHaveText(['anchors alone'])
  await pick('Open by default')
  await expect(instances).toHaveAttribute('href', /view=anchors/)
  await page.getByRole('link', { name: 'Disks', exact: true }).click()
  await instances.click()
  await expect.poll(names).toEqual(['beacon'])

  await pick('Delete view')
  await expect(pinned).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(pinned.getByRole('link')).toHaveText(['anchors alone'])
})

test(
  'a view is shared with the users of a project, who use it and edit it one at a time',
  { ...story, ...notOn({ preview: 'shows the pages of two users at once' }) },
  async ({ open, api, machine, project }) => {
    await machine('anchor')
    await machine('beacon')
    const list = `/projects/${project}/instances`
    const page = await open('member', `${list}?filter=name:anchor`)
    const names = (at: Page) => at.locator('tbody a.name').allTextContents()
    const views = (at: Page) => at.getByRole('button', { name: /Views|anchors/ })
    const pick = async (at: Page, entry: string) => {
      await views(at).click()
      await at.getByRole('menu', { name: 'Views' }).getByText(entry, { exact: true }).click()
    }
    await pick(page, 'Save as new view')
    const dialog = page.getByRole('dialog', { name: 'Save view' })
    await dialog.getByRole('textbox', { name: 'Name' }).fill('team anchors')
    await dialog.getByRole('radio', { name: `All users of project ${project}` }).check()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toBeHidden()
    const pinned = page.getByRole('list', { name: 'Saved views of Instances' })
    await expect(pinned.getByRole('link')).toContainText(['team anchors'])
    await expect(views(page)).toHaveAccessibleName(/team anchors ?, shared view/)

    // A viewer sees, pins and opens it, and changes nothing for others.
    const viewer = await open('viewer', list)
    await pick(viewer, 'team anchors, by member')
    await expect.poll(() => names(viewer)).toEqual(['anchor'])
    await columns(viewer).click()
    await chooser(viewer).getByRole('checkbox', { name: 'Memory' }).uncheck()
    await viewer.keyboard.press('Escape')
    await expect(views(viewer)).toHaveText(/changed/)
    await views(viewer).click()
    await expect(viewer.getByRole('menuitem', { name: 'Save changes' })).toBeDisabled()
    await expect(viewer.getByRole('menuitem', { name: 'Delete view' })).toBeDisabled()
    await viewer.getByRole('menuitem', { name: 'Pin in the sidebar' }).click()
    await expect(viewer.getByRole('list', { name: 'Saved views of Instances' }).getByRole('link')).toHaveText(
      ['team anchors'],
    )
    await expect.poll(() => heads(page)).toBe('Name CPU Memory State Created')

    // Another user renames it while a form is open, which keeps what was typed.
    const { items } = (await api('member', 'GET', `/ext/v1/shared-views?project=${project}`)) as {
      items: { id: string }[]
    }
    await pick(page, 'Rename view')
    const rename = page.getByRole('dialog', { name: 'Rename view' })
    await rename.getByRole('textbox').fill('anchors of mine')
    await api('admin', 'PUT', `/ext/v1/shared-views/${items[0]?.id}`, { name: 'anchors of all' })
    await rename.getByRole('button', { name: 'Save' }).click()
    await expect(rename.getByRole('alert')).toBeVisible()
    await expect(rename.getByRole('textbox')).toHaveValue('anchors of mine')
    await rename.getByRole('button', { name: 'Save' }).click()
    await expect(rename).toBeHidden()
    await expect(pinned.getByRole('link')).toContainText(['anchors of mine'])

    await page.getByRole('combobox', { name: 'Filter instances' }).fill('name:beacon')
    await expect(views(page)).toHaveText(/changed/)
    await pick(page, 'Save changes')
    await page
      .getByRole('dialog', { name: 'Save changes for all' })
      .getByRole('button', { name: 'Save' })
      .click()
    await expect(views(page)).not.toHaveText(/changed/)
    const link = viewer.getByRole('list', { name: 'Saved views of Instances' }).getByRole('link')
    await expect(link).toHaveAttribute('href', /beacon/)
    await link.click()
    await expect.poll(() => names(viewer)).toEqual(['beacon'])

    await pick(page, 'Delete view')
    await page
      .getByRole('dialog', { name: 'Confirm delete shared view' })
      .getByRole('button', { name: 'Delete' })
      .click()
    await expect(pinned.getByRole('link', { name: 'anchors of mine' })).toHaveCount(0)
    await expect(viewer.getByRole('list', { name: 'Saved views of Instances' })).toHaveCount(0)
  },
)
