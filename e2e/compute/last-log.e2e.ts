import { readFile } from 'node:fs/promises'
import { expect, test } from '../support/test.ts'

test('the log of an instance that has ended can be downloaded, also when it runs again', async ({
  open,
  project,
  machine,
  api,
}) => {
  await machine('desk', { start: true })
  const power = (verb: string) => api('member', 'POST', `/v1/instances/desk/${verb}?project=${project}`)
  const becomes = (state: string) =>
    expect
      .poll(
        async () =>
          ((await api('member', 'GET', `/v1/instances/desk?project=${project}`)) as { run_state: string })
            .run_state,
        { timeout: 30_000 },
      )
      .toBe(state)
  await becomes('running')
  const page = await open('member', `/projects/${project}/instances/desk/connect`)
  await expect(page.getByRole('region', { name: 'Guest agent' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Download last log' })).toBeHidden()
  await power('stop')
  await becomes('stopped')
  await power('start')
  await becomes('running')
  await page.reload()
  const card = page.getByRole('region', { name: 'Serial console' })
  await expect(card).toContainText('The last 256 KiB of its log are kept until it ends again', {
    timeout: 20_000,
  })
  const download = page.waitForEvent('download')
  await card.getByRole('button', { name: 'Download last log' }).click()
  expect((await download).suggestedFilename()).toBe('desk-last.log')
  expect(await readFile(await (await download).path(), 'utf8')).toContain('login: ')
})
