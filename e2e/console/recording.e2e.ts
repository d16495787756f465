import type { Page } from '@playwright/test'
import { findings } from '../support/checks.ts'
import { inShell } from '../support/in-shell.ts'
import { confirm, notifications, rowAction, visit } from '../support/steps.ts'
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

const loaded = async (page: Page, path: string): Promise<unknown> => page.goto(path)

async function createDisk(page: Page, project: string, name: string, go = loaded): Promise<void> {
  await go(page, `/projects/${project}/disks-new`)
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
    const curl = await codeIn(page, 'curl')
    expect(curl).toContain("send_with POST '/v1/disks?project=recorded'")
    // What is closed is kept until it is discarded.
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Show recording' }).click()
    await inShell(script.replaceAll('recorded', 'repeated'), gantry.url, token)
    expect(await names('disks')).toEqual(['kept'])
    // The name is taken now, which does not pass: both end at once with the refusal.
    for (const again of [script, curl]) {
      const begun = Date.now()
      const ended = inShell(again.replaceAll('recorded', 'repeated'), gantry.url, token)
      await expect(ended).rejects.toThrow(/already exists/)
      expect(Date.now() - begun, 'ms until it ended').toBeLessThan(20_000)
    }
    await result(page).getByRole('button', { name: 'Discard' }).click()
    await expect(result(page)).toBeHidden()
    await expect(page.getByRole('button', { name: 'Show recording' })).toBeHidden()
  },
)

/** Begins a recording, does what is given, and shows the result. */
async function record(page: Page, work: () => Promise<void>): Promise<void> {
  await page.getByRole('button', { name: 'User menu' }).click()
  await page.getByRole('menuitem', { name: 'Record session' }).click()
  const mark = page.getByRole('button', { name: 'Stop recording' })
  await expect(mark).toBeVisible()
  await work()
  await mark.click()
  await expect(result(page)).toBeVisible()
}

test(
  'what a user did becomes a plan, which runs in another project until a step is refused',
  story,
  async ({ open, api }) => {
    for (const name of ['planned', 'planned-again'])
      await api('member', 'POST', '/v1/projects', { name, description: '' })
    const disks = async () => {
      const { items } = (await api('member', 'GET', '/v1/disks?project=planned-again')) as {
        items: { name: string; id: string }[]
      }
      return items.map(({ name }) => name)
    }
    const page = await open('member', '/projects/planned/disks')
    await record(page, async () => {
      for (const name of ['one', 'two', 'three']) await createDisk(page, 'planned', name, visit)
    })
    expect(JSON.parse(await codeIn(page, 'Plan'))).toMatchObject({ gantry_plan: 1, ids: [] })
    const downloaded = page.waitForEvent('download')
    await result(page).getByRole('button', { name: 'Download' }).click()
    const file = await (await downloaded).path()
    await result(page).getByRole('button', { name: 'Discard' }).click()

    // Taken there, so the second step is refused.
    const disk_source = { type: 'blank', block_size: 512 }
    const taken = { name: 'two', description: '', size: 2 ** 30, disk_source }
    await api('member', 'POST', '/v1/disks?project=planned-again', taken)
    await visit(page, '/projects/planned-again/plans')
    await page.getByRole('button', { name: 'Run a recorded plan…' }).click()
    const chooser = page.getByRole('dialog', { name: 'Run a recorded plan' })
    const input = chooser.getByLabel('Plan', { exact: true })
    await input.setInputFiles({ name: 'x.json', mimeType: 'application/json', buffer: Buffer.from('{}') })
    await expect(chooser.getByRole('alert')).toContainText('The file is not a plan')
    await input.setInputFiles(file)
    const plan = page.getByRole('dialog', { name: 'Plan: 3 steps' })
    await plan.getByLabel('Project planned', { exact: true }).fill('planned-again')
    await expect(plan.getByRole('listitem').first()).toContainText('Create disk one in project planned-again')
    await plan.getByRole('button', { name: 'Run plan' }).click()
    await expect(plan.getByRole('alert')).toContainText('Step 2, Create disk two, was refused')
    expect(await disks()).toEqual(['one', 'two'])
    // It waits in the tab.
    await plan.getByRole('button', { name: 'Close' }).first().click()
    await expect(plan).toBeHidden()
    await page.getByRole('button', { name: 'Run a recorded plan…' }).click()
    await plan.getByRole('button', { name: 'Skip step 2' }).click()
    await plan.getByRole('button', { name: 'Continue from step 3' }).click()
    await expect(plan.getByText('The plan has run')).toBeVisible()
    expect(await disks()).toEqual(['one', 'three', 'two'])
  },
)

test(
  'a request that was running when the page was left is recorded with that warning',
  notOn({ preview: 'its control plane ends with the page' }),
  async ({ open, api }) => {
    await api('member', 'POST', '/v1/projects', { name: 'left', description: '' })
    const page = await open('member', '/projects/left/disks')
    await record(page, async () => {
      await page.route(
        (url) => url.pathname === '/v1/disks',
        (route) => (route.request().method() === 'POST' ? undefined : route.fallback()),
      )
      const sent = page.waitForRequest(
        (request) => request.method() === 'POST' && request.url().includes('/v1/disks'),
      )
      await page.goto('/projects/left/disks-new')
      const form = page.getByRole('dialog', { name: 'Create disk' })
      await form.getByLabel('Name', { exact: true }).fill('unanswered')
      await form.getByRole('button', { name: 'Create disk' }).click()
      await sent
      page.on('dialog', (dialog) => void dialog.accept())
      await page.goto('/projects/left/disks')
    })
    expect(await codeIn(page, 'gantry')).toMatch(
      /# The page was left before [\s\S]*run disk create[\s\S]*unanswered/,
    )
  },
)

test('what a user did before becomes a script, too', async ({ open, api }) => {
  await api('member', 'POST', '/v1/projects', { name: 'earlier', description: '' })
  await api('member', 'POST', '/v1/vpcs?project=earlier', { name: 'back', description: '', dns_name: 'back' })
  await api('admin', 'POST', '/v1/vpcs?project=earlier', {
    name: 'other',
    description: '',
    dns_name: 'other',
  })
  const page = await open('member', '/projects/earlier/activity')
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: 'What you did, as a script…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Your activity: 2 requests' })
  const code = dialog.getByRole('region', { name: /^Code in/ })
  await dialog.getByRole('radio', { name: 'gantry', exact: true }).click()
  await expect(code).toContainText(/run project create[\s\S]*run vpc create[\s\S]*--name back/)
  await expect(code).not.toContainText('other')
  await dialog.getByRole('radio', { name: 'Plan', exact: true }).click()
  await dialog.getByRole('button', { name: 'Run…' }).click()
  await expect(page.getByRole('dialog', { name: 'Plan: 2 steps' }).getByRole('listitem')).toHaveText([
    /Create project earlier/,
    /Create VPC back in project earlier/,
  ])
})

test('entries that a user selects become a script, and others do not', async ({ open, api }) => {
  await api('member', 'POST', '/v1/projects', { name: 'selected', description: '' })
  for (const name of ['one', 'two', 'three'])
    await api('member', 'POST', '/v1/vpcs?project=selected', { name, description: '', dns_name: name })
  await api('admin', 'POST', '/v1/vpcs?project=selected', { name: 'other', description: '', dns_name: 'x' })
  const page = await open('member', '/projects/selected/activity')
  const menu = page.getByRole('button', { name: 'Export' })
  await menu.click()
  await page.getByRole('menuitem', { name: 'Select what you did…' }).click()
  const bar = page.getByRole('toolbar', { name: 'Selected entries' })
  const write = bar.getByRole('button', { name: 'As a script or plan…' })
  await expect(write).toHaveAccessibleDescription('Select entries of your own first')
  // What another user did has no checkbox.
  await expect(page.getByRole('checkbox')).toHaveCount(4)
  // The newest first, which the script has last.
  for (const name of ['three', 'one']) {
    const box = page.getByRole('checkbox', { name: new RegExp(`^Select Created VPC ${name}, `) })
    await box.focus()
    await page.keyboard.press('Space')
  }
  await expect(bar.getByRole('status')).toHaveText('2 selected')
  await write.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Your activity: 2 requests' })
  await dialog.getByRole('radio', { name: 'gantry', exact: true }).click()
  const code = dialog.getByRole('region', { name: /^Code in/ })
  await expect(code).toContainText(/run vpc create[^]*--name one[^]*run vpc create[^]*--name three/)
  await expect(code).not.toContainText(/--name two|project create|other/)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await bar.getByRole('button', { name: 'Select all of yours on this page' }).click()
  await expect(bar.getByRole('status')).toHaveText('4 selected')
  expect(await findings(page)).toEqual([])
  await bar.getByRole('button', { name: 'Cancel' }).press('Enter')
  await expect(bar).toBeHidden()
  await expect(menu).toBeFocused()
})
