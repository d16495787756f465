import { ownServer, testOwnServer } from '../support/own-server.ts'
import { row } from '../support/steps.ts'
import { expect } from '../support/test.ts'

/** Its sleds are its own, and it checks for issues each second. */
const test = testOwnServer({ issues: { check_seconds: 1 } })

test(
  'an operator finds an alert by its class, and reads what it told and to whom',
  ownServer,
  async ({ own: { open, api } }) => {
    const receiver = 'pager'
    await api('admin', 'POST', '/v1/webhook-receivers', {
      name: receiver,
      description: '',
      endpoint: 'https://alerts.example.com/hook',
      secrets: ['told-to-nobody'],
      subscriptions: ['issue.fault.*'],
    })
    const page = await open('admin', '/system/alerts')
    const { items } = (await api('admin', 'GET', '/v1/system/hardware/sleds')) as {
      items: { id: string; baseboard: { serial: string } }[]
    }
    const sled = items.at(-1)
    await api('admin', 'POST', '/ext/v1/faults', { kind: 'sled_lost', sled_id: sled?.id })
    await page.getByRole('link', { name: 'Raised alerts' }).click()
    // It appears without a reload.
    const raised = row(page, 'issue.fault.began').filter({ hasText: sled?.baseboard.serial ?? '' })
    await expect(raised.first()).toBeVisible({ timeout: 60_000 })

    const filter = page.getByRole('combobox', { name: 'Class or pattern' })
    await filter.fill('issue.nothing.*')
    await filter.press('Enter')
    await expect(filter).toHaveAccessibleDescription(/No alert class is issue\.nothing\.\*/)
    await filter.fill('issue.fault.*')
    await filter.press('Enter')
    await expect(page).toHaveURL(/class=issue\.fault\.\*/)
    await raised.first().getByRole('link', { name: 'issue.fault.began' }).click()
    const panel = page.getByRole('dialog', { name: 'issue.fault.began' })
    await expect(panel.getByText('"severity"')).toBeVisible()
    await expect(panel.getByRole('listitem').filter({ hasText: receiver })).toBeVisible()
    await panel.getByRole('link', { name: receiver }).click()
    await expect(page).toHaveURL(new RegExp(`/system/alerts/${receiver}`))
  },
)
