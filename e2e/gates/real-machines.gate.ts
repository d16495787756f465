import { execFile, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Page, test as base } from '@playwright/test'
import { onHost, removeFromHost } from '../../packages/server/src/testing/on-host.ts'
import { Gantry } from '../support/gantry.ts'
import { serverStage } from '../support/stage-server.ts'
import type { Stage } from '../support/stage.ts'
import { choose, confirm, notifications, refresh, row, rowAction } from '../support/steps.ts'
import { expect } from '../support/test.ts'
import { form, progress, steps, submit } from '../support/upload-steps.ts'

const run = promisify(execFile)
const demoImage = fileURLToPath(new URL('../../dist/demo-image.qcow2', import.meta.url))
/** For a boot without hardware virtualization, or the conversion of an image, on a busy host. */
const patienceMs = 180_000

/** Tests against a server that runs real machines on this host. */
const test = base.extend<{ gantry: Gantry; stage: Stage; keys: string }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the parameter's shape
  gantry: async ({}, use) => {
    const gantry = await new Gantry({ args: ['--fleet', 'qemu'] }).start()
    await use(gantry)
    await gantry.kill('SIGTERM')
    // What a failed test leaves behind.
    await removeFromHost(gantry.dataDir)
    await gantry.remove()
  },
  stage: async ({ browser, gantry }, use) => {
    const stage = serverStage(browser, gantry)
    await use(stage)
    await stage.clear()
  },
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the parameter's shape
  keys: async ({}, use) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'gantry-keys-'))
    await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', path.join(folder, 'key')])
    await use(path.join(folder, 'key'))
    rmSync(folder, { recursive: true, force: true })
  },
})

test.describe.configure({ timeout: 20 * 60_000 })
test.use({ actionTimeout: 60_000 })
test.skip(process.getuid?.() !== 0, 'external addresses need root')
for (const program of ['qemu-system-x86_64', 'qemu-img', 'bwrap', 'nft', 'dnsmasq', 'ssh'])
  test.skip(spawnSync(program, ['--version']).error !== undefined, `${program} is not installed`)
test.skip(!existsSync(demoImage), 'there is no demo image: npm run demo-image makes it')

/** What the server itself has on the host, for all networks. */
const hostOnly = {
  servers: [{ of: 'host' }],
  links: [expect.any(String)],
  tables: [expect.any(String)],
}
const list = '/projects/playground'
const state = (page: Page, word: string) => page.getByText(word, { exact: true }).first()

async function createInstance(page: Page, name: string, image: RegExp): Promise<void> {
  await page.goto(`${list}/instances-new`)
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByRole('radio', { name: 'Project images' }).click()
  await choose(page, 'Image', image)
  await page.getByRole('radio', { name: 'Custom' }).first().click()
  await page.getByLabel('CPUs', { exact: true }).fill('1')
  await page.getByRole('spinbutton', { name: 'Memory' }).fill('1')
  await page.getByRole('button', { name: 'Create instance' }).click()
  await expect(page.getByRole('heading', { name: new RegExp(name) })).toBeVisible()
  await expect(state(page, 'Running')).toBeVisible({ timeout: 60_000 })
}

/** Types a command at the shell of the serial console, and waits for what it prints. */
async function shell(page: Page, command: string, printed: string | RegExp): Promise<void> {
  await page.keyboard.type(`${command}\n`)
  await expect(page.getByRole('application')).toContainText(printed, { timeout: 60_000 })
}

async function signInOnConsole(page: Page, name: string): Promise<void> {
  await page.goto(`${list}/instances/${name}/serial-console`)
  await expect(page.getByRole('application')).toContainText(`${name} login:`, { timeout: patienceMs })
  await page.keyboard.type('root\n')
  await expect(page.getByRole('application')).toContainText(`root@${name}`, { timeout: 60_000 })
}

const ssh = (key: string, address: string, command: string) =>
  run(
    'ssh',
    [
      ['-i', key, '-o', 'BatchMode=yes', '-o', 'StrictHostKeyChecking=no', '-o', 'ConnectTimeout=20'],
      ['-o', 'UserKnownHostsFile=/dev/null', '-o', 'LogLevel=ERROR', `root@${address}`, command],
    ].flat(),
    { timeout: 60_000 },
  )

test('a user runs a real machine: from a qcow2 to a second machine with its files', async ({
  gantry,
  stage,
  keys,
}) => {
  const page = await stage.open('member', `${list}/images`)
  const publicKey = (await run('cat', [`${keys}.pub`])).stdout.trim()
  await stage.api('member', 'POST', '/v1/me/ssh-keys', {
    name: 'laptop',
    description: '',
    public_key: publicKey,
  })

  // Upload.
  await page.getByRole('link', { name: 'Upload image' }).first().click()
  await form(page).getByLabel('Name', { exact: true }).fill('tiny')
  await form(page).getByLabel('OS', { exact: true }).fill('Linux')
  await form(page).getByLabel('Version').fill('1')
  await form(page).locator('input[type=file]').setInputFiles(demoImage)
  await expect(form(page)).toContainText('qcow2')
  await submit(page).click()
  await expect(steps(page, 'complete')).toHaveCount(4, { timeout: patienceMs })
  await progress(page).getByRole('button', { name: 'Done' }).click()

  // It boots for real, and its console keeps what is written over a kill of the server.
  await createInstance(page, 'first', /tiny/)
  await signInOnConsole(page, 'first')
  await shell(page, 'echo kept-$((40 + 2)) >/root/note; sync; cat /root/note', 'kept-42')
  await gantry.kill('SIGKILL')
  await gantry.start()
  await refresh(page)
  await expect(page.getByRole('application')).toContainText('kept-42', { timeout: 60_000 })
  await shell(page, 'uname -s; echo still-$((1 + 1))', 'still-2')

  // A snapshot of the running disk, and a second machine from it.
  await page.goto(`${list}/instances/first/storage`)
  await page
    .getByRole('table', { name: 'Boot disk' })
    .getByRole('button', { name: /^Actions for / })
    .click()
  await page.getByRole('menuitem', { name: 'Snapshot' }).click()
  await expect(notifications(page)).toContainText(/Snapshot .* created/, { timeout: 60_000 })
  await page.goto(`${list}/snapshots`)
  const snapshot = page.getByRole('row').filter({ hasText: 'first' })
  await expect(snapshot).toContainText('Ready', { timeout: patienceMs })
  await snapshot.getByRole('button', { name: /^Actions for / }).click()
  await page.getByRole('menuitem', { name: 'Create image' }).click()
  const create = page.getByRole('dialog', { name: 'Create image from snapshot' })
  await create.getByLabel('Name', { exact: true }).fill('with-note')
  await create.getByLabel('OS', { exact: true }).fill('Linux')
  await create.getByLabel('Version').fill('2')
  await create.getByRole('button', { name: 'Create image' }).click()
  await expect(notifications(page)).toContainText('Image with-note created')
  await createInstance(page, 'second', /with-note/)
  await signInOnConsole(page, 'second')
  await shell(page, 'cat /root/note', 'kept-42')

  // SSH through a floating IP.
  const floating = (await stage.api('member', 'POST', '/v1/floating-ips?project=playground', {
    name: 'door',
    description: '',
  })) as { ip: string }
  await page.goto(`${list}/instances/second/networking`)
  await page.getByRole('button', { name: 'Attach floating IP' }).click()
  const dialog = page.getByRole('dialog', { name: 'Attach floating IP' })
  await dialog.getByRole('combobox').click()
  await page.getByRole('option', { name: /door/ }).click()
  await dialog.getByRole('button', { name: 'Attach floating IP' }).click()
  await expect(notifications(page)).toContainText('door attached')
  await expect
    .poll(() => ssh(keys, floating.ip, 'hostname; cat /root/note').then(({ stdout }) => stdout, String), {
      timeout: 120_000,
    })
    .toBe('second\nkept-42\n')

  // The power button.
  await page.goto(`${list}/instances/second`)
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await confirm(page)
  await expect(state(page, 'Stopped')).toBeVisible({ timeout: 120_000 })
  await expect(ssh(keys, floating.ip, 'true')).rejects.toThrow()

  // Nothing is left of what is deleted.
  await page.goto(`${list}/instances/first`)
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await confirm(page)
  await expect(state(page, 'Stopped')).toBeVisible({ timeout: 120_000 })
  await page.goto(`${list}/instances`)
  for (const name of ['first', 'second']) {
    await rowAction(page, name, 'Delete')
    await confirm(page)
    await expect(row(page, name)).toBeHidden()
  }
  await expect(page.getByRole('heading', { name: 'No instances' })).toBeVisible()
  await deleteTheRest(stage)
  await expect
    .poll(() => onHost(gantry.dataDir), { timeout: 60_000 })
    .toMatchObject({ ...hostOnly, machines: new Map(), namespaces: [] })
  const left = ['machines', 'volumes', 'networks'].map((folder) =>
    readdirSync(path.join(gantry.dataDir, 'fleet', folder)),
  )
  expect(left).toEqual([[], [], ['host']])
})

/** What the project has besides its instances. */
async function deleteTheRest({ api }: Stage): Promise<void> {
  const inProject = 'project=playground'
  for (const kind of ['floating-ips', 'disks', 'snapshots', 'images']) {
    const { items } = (await api('member', 'GET', `/v1/${kind}?${inProject}`)) as { items: { id: string }[] }
    for (const { id } of items) await api('member', 'DELETE', `/v1/${kind}/${id}`)
  }
  const vpc = `vpc=default&${inProject}`
  await api('member', 'DELETE', `/v1/vpc-subnets/default?${vpc}`)
  await api('member', 'DELETE', `/v1/vpcs/default?${inProject}`)
}
