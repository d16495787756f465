import type { Page } from '@playwright/test'
import { inShell } from '../support/in-shell.ts'
import { confirm, notifications, rowAction } from '../support/steps.ts'
import { notOn, story } from '../support/target.ts'
import { expect, test } from '../support/test.ts'

const result = (page: Page) => page.getByRole('dialog', { name: /^Recorded: / })

async function codeIn(page: Page, language: string): Promise<string> {
  await result(page).getByRole('radio', { name: language, exact: true }).click()
  return (
    (await result(page)
      .getByRole('region', { name: `Code in ${language}` })
      .textContent()) ?? ''
  )
}

async function createDisk(page: Page, project: string, name: string): Promise<void> {
  await page.goto(`/projects/${project}/disks-new`)
  const form = page.getByRole('dialog', { name: 'Create disk' })
  await form.getByLabel('Name', { exact: true }).fill(name)
  await form.getByRole('button', { name: 'Create disk' }).click()
  await expect(form).toBeHidden()
}

test(
  'what a user did becomes a script that does it again elsewhere',
  { ...story, ...notOn({ preview: 'a program cannot reach the control plane in the page' }) },
  async ({ open, api, gantry }) => {
    for (const name of ['recorded', 'repeated'])
      await api('member', 'POST', '/v1/projects', { name, description: '' })
    const { token } = (await api('member', 'POST', '/ext/v1/me/access-tokens', {
      name: 'replay',
      ttl_seconds: 3600,
      powers: ['read', 'change', 'delete'],
    })) as { token: string }
    const names = async (kind: string) => {
      const { items } = (await api('member', 'GET', `/v1/${kind}?project=repeated`)) as {
        items: { name: string }[]
      }
      return items.map(({ name }) => name)
    }

    const page = await open('member', '/projects/recorded/disks')
    await page.getByRole('button', { name: 'User menu' }).click()
    await page.getByRole('menuitem', { name: 'Record session' }).click()
    const mark = page.getByRole('button', { name: 'Stop recording' })
    await expect(mark).toBeVisible()
    await createDisk(page, 'recorded', 'kept')
    // A full load of another page keeps the recording.
    await createDisk(page, 'recorded', 'brief')
    await expect(mark).toBeVisible()
    await rowAction(page, 'brief', 'Delete')
    await confirm(page)
    // The row is hidden before the answer comes, and what has no answer is not recorded.
    await expect(notifications(page)).toContainText('Disk brief deleted')
    await page.goto('/projects/recorded/disks')
    await mark.click()

    await expect(result(page)).toHaveAccessibleName('Recorded: 3 requests')
    const script = await codeIn(page, 'gantry')
    expect(await codeIn(page, 'curl')).toContain("send_with POST '/v1/disks?project=recorded'")
    // What is closed is kept until it is discarded.
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Show recording' }).click()
    await inShell(script.replaceAll('recorded', 'repeated'), gantry.url, token)
    expect(await names('disks')).toEqual(['kept'])
    await result(page).getByRole('button', { name: 'Discard' }).click()
    await expect(result(page)).toBeHidden()
    await expect(page.getByRole('button', { name: 'Show recording' })).toBeHidden()
  },
)
