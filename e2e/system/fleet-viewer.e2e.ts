import type { Locator, Page } from '@playwright/test'
import { asFleetViewer } from '../support/fleet-steps.ts'
import { furnish } from '../support/screens.ts'
import { areas } from '../screens/areas.gen.ts'
import { visit } from '../support/steps.ts'
import { expect, test } from '../support/test.ts'

/** Buttons that change nothing of others: they copy, export, open a menu or help, navigate, or arrange one's own list. */
const harmless =
  /^(Copy|Click to copy|Actions for|All properties|More actions for|.* actions|Learn about |Export\b|Views$|Filters$|Columns$|Show as code$|Download|Download |View |Refresh charts|Show names of |Send test|Choose |Next|Previous|Clear|By |Run|Save query|Queries|Chart$|Table$|Go to error)/
/** Viewers may change these (reference A, section 17.8). */
const allowed = /^(Enable BFD session(Enabling BFD session)?|Disable): enabled$/
/** Terms with explanations, and names that highlight sleds. */
const names =
  '[aria-description], th *, [aria-label^="Instances on"] *, [aria-label="Anti-affinity groups"] *'

/** Buttons and menu items that would change something, without a reason why they are disabled. */
async function offered(buttons: Locator): Promise<string[]> {
  const found = await buttons.evaluateAll((elements) =>
    elements.map((element) => {
      const described = (element.getAttribute('aria-describedby') ?? '')
        .split(' ')
        .map((id) => document.getElementById(id)?.textContent ?? '')
        .join(' ')
      return {
        name: element.getAttribute('aria-label') ?? element.textContent.trim(),
        isOff: element.matches('[aria-disabled=true], :disabled'),
        why: described,
      }
    }),
  )
  return found
    .filter(({ name }) => !harmless.test(name))
    .filter(({ isOff, why }) => !isOff || why.trim() === '')
    .map(({ name, isOff }) => `${name}: ${isOff ? 'disabled without a reason' : 'enabled'}`)
    .filter((each) => !allowed.test(each))
}

async function offeredInMenus(page: Page): Promise<string[]> {
  const menus = page.getByRole('main').getByRole('button', { name: /actions$|^Actions for / })
  const found: string[] = []
  for (const menu of (await menus.all()).slice(0, 3)) {
    await menu.click()
    const items = page.getByRole('menuitem')
    await expect(items.first()).toBeVisible()
    found.push(...(await offered(items)))
    await page.keyboard.press('Escape')
  }
  return found
}

for (const { name: area, screens } of areas.filter(({ forFleetViewers }) => forFleetViewers))
  test(`a fleet viewer sees the screens of ${area}, and each disabled action says why`, async ({
    open,
    api,
    project,
  }) => {
    test.setTimeout(240_000)
    const fill = await furnish(api, project)
    await asFleetViewer(api, 'petra', async () => {
      const page = await open('petra', '/system')
      for (const [name, path, , [role, label]] of screens) {
        await visit(page, fill(path))
        // A link to a form becomes a disabled button, and a list that the viewer may not read a message.
        const last = page
          .getByRole(role, { name: label })
          .or(page.getByRole('button', { name: label, exact: true }))
          .or(page.getByText('You need the role'))
        await expect(last.filter({ visible: true }).first(), name).toBeVisible()
        const dialog = page.getByRole('dialog')
        const isForm = (await dialog.count()) > 0
        const buttons = isForm
          ? dialog.locator('button[type=submit]')
          : page.getByRole('main').locator(`button:not(${names})`)
        // Permissions arrive shortly after the page.
        await expect.poll(() => offered(buttons), name).toEqual([])
        if (!isForm) await expect.poll(() => offeredInMenus(page), `${name}, menus`).toEqual([])
      }
    })
  })
