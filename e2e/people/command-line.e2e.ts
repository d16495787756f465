import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { commandLine } from '../support/command-line.ts'
import { expect, test } from '../support/test.ts'
import { notOn, story } from '../support/target.ts'

test(
  'a user signs in on the command line, and works there with the same objects and words',
  { ...story, ...notOn({ preview: 'a program cannot reach the control plane in the page' }) },
  async ({ open, gantry, api }) => {
    const home = mkdtempSync(path.join(tmpdir(), 'gantry-home-'))
    const { run, start } = commandLine(home)
    const before = await api('member', 'GET', '/v1/me/access-tokens')
    try {
      const login = start('login', gantry.url)
      const code = await login.said(/^ {2}([A-Z]{3}-[A-Z]{5})$/m)
      const page = await open('member', `/device/verify?user_code=${code}`)
      await page.getByRole('button', { name: 'Log in on device' }).click()
      expect(await login.ended).toMatchObject({ code: 0, err: expect.stringContaining(`as member`) })

      await api('member', 'POST', '/v1/projects', { name: 'typed', description: '' })
      const backend = '{"type":"distributed","disk_source":{"type":"blank","block_size":512}}'
      const create = ['disk', 'create', '--project', 'typed', '--name', 'data', '--description', '']
      expect(await run(...create, '--size', '2GiB', '--disk-backend', backend)).toMatchObject({
        code: 0,
        err: '',
      })
      const { out } = await run('disk', 'list', '--project', 'typed', '--columns', 'name,size')
      expect(out).toBe('NAME  SIZE\ndata  2 GiB\n')

      expect(await run(...create, '--size', '2GiB', '--disk-backend', backend)).toEqual({
        code: 1,
        out: '',
        err: 'gantry: Disk name already exists. Choose another name.\n',
      })
      expect(await run('disk', 'view', 'nothing', '--project', 'typed')).toMatchObject({
        code: 4,
        err: expect.stringContaining('Not found: disk with name "nothing"'),
      })
      expect(await run('logout')).toMatchObject({ code: 0 })
      expect(await run('disk', 'list', '--project', 'typed')).toMatchObject({
        code: 3,
        err: expect.stringContaining(`gantry login ${gantry.url}`),
      })
      expect(await api('member', 'GET', '/v1/me/access-tokens')).toEqual(before)
    } finally {
      rmSync(home, { recursive: true, force: true })
    }
  },
)
