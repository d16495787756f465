import { inShell } from '../support/in-shell.ts'
import { withMemory } from '../support/scenes.ts'
import { confirm, row, rowAction } from '../support/steps.ts'
import { notOn, story } from '../support/target.ts'
import { expect, test } from '../support/test.ts'

test(
  'a token for a script is made with less than its user may do, shown once, used and deleted',
  { ...story, ...notOn({ preview: 'scripts do not reach the preview' }) },
  async ({ open, project, machine, gantry }) => {
    await machine('web-1')
    const page = await open('member', '/settings/access-tokens')
    await page.getByRole('link', { name: 'New token' }).click()
    const create = page.getByRole('button', { name: 'Create token' })
    await page.getByLabel('Name').fill('nightly report')
    await page.getByLabel('Expires after').fill('400')
    await page.getByRole('radio', { name: 'Some projects' }).check()
    await expect(create).toBeDisabled()
    await page.getByRole('checkbox', { name: project }).check()
    await create.click()
    await expect(page.getByText(/This silo allows .* at most/).last()).toBeVisible()
    await page.getByLabel('Expires after').fill('7')
    await create.click()
    const made = page.getByRole('dialog', { name: 'Token nightly report is ready' })
    const token = await made.getByTestId('secret').innerText()
    await expect(made).toContainText(`project=${project}&filter=state:failed`)
    await page.mouse.click(5, 5)
    await made.getByRole('button', { name: 'Done' }).click()

    await expect(row(page, 'nightly report')).toContainText('Read')
    await expect(row(page, 'nightly report')).toContainText(project)
    await expect(row(page, 'nightly report')).toContainText('Not yet')
    const send = (method: string, path: string) =>
      fetch(new URL(path, gantry.url), {
        method,
        headers: { authorization: `Bearer ${token}`, 'user-agent': 'curl/8.1' },
      })
    expect((await send('GET', `/v1/instances?project=${project}`)).status).toBe(200)
    expect((await send('POST', `/v1/instances/web-1/start?project=${project}`)).status).toBe(403)
    await page.reload()
    await expect(row(page, 'nightly report')).toContainText('curl 8.1')

    await rowAction(page, 'nightly report', 'Delete')
    await confirm(page)
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(row(page, 'nightly report')).toBeHidden()
    expect((await send('GET', `/v1/instances?project=${project}`)).status).toBe(401)
  },
)

test(
  'a script that lists the failed instances each night comes from the console: its command, its token, its run',
  { ...story, ...notOn({ preview: 'scripts do not reach the preview' }) },
  async ({ open, project, machine, api, gantry }) => {
    await machine('healthy')
    // It fails, as no sled has room for it.
    await withMemory(api, () => machine('giant', { memory: 1536 * 1024 ** 3, start: true }))
    const page = await open('member', `/projects/${project}/instances?filter=state%3Afailed`)
    await expect(row(page, 'giant')).toBeVisible()
    await expect(row(page, 'healthy')).toBeHidden()
    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByRole('menuitem', { name: 'Show as code' }).click()
    const code = page.getByRole('dialog', { name: 'As code: list' })
    const command: Record<string, string> = {}
    for (const language of ['gantry', 'curl']) {
      await code.getByRole('radio', { name: language, exact: true }).click()
      command[language] = await code.getByRole('region', { name: `Code in ${language}` }).innerText()
    }
    await page.keyboard.press('Escape')

    await page.goto('/settings/access-tokens-new')
    await page.getByLabel('Name').fill('failed each night')
    await page.getByRole('button', { name: 'Create token' }).click()
    const token = await page.getByTestId('secret').innerText()
    const table = await inShell(command['gantry'] ?? '', gantry.url, token)
    expect(table).toContain('giant')
    expect(table).not.toContain('healthy')
    const list = JSON.parse(await inShell(command['curl'] ?? '', gantry.url, token)) as {
      items: { name: string; run_state: string }[]
    }
    expect(list.items.map(({ name, run_state }) => [name, run_state])).toEqual([['giant', 'failed']])
  },
)
