import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { bundled } from '../packages/server/src/testing/bundled.ts'
import { smallVolume } from '../packages/server/src/testing/small-volume.ts'

const MiB = 1024 ** 2
const volume = await smallVolume(160)
if ('missing' in volume) console.warn(`skipped: a server on a full disk, ${volume.missing}`)

let program: Awaited<ReturnType<typeof bundled>> | undefined
beforeAll(async () => {
  if (!('missing' in volume)) program = await bundled('src/gantry.ts')
})
afterAll(async () => {
  await program?.remove()
  if (!('missing' in volume)) await volume.remove()
})

describe.skipIf('missing' in volume)('a server with a full disk', () => {
  const { folder, fill, clear } = volume as Exclude<typeof volume, { missing: string }>
  // Also evaluated where the volume is missing, and so without a folder.
  const dataDir = `${folder}/data`

  function start(place = dataDir) {
    const child = spawn(
      process.execPath,
      [program?.file ?? '', 'serve', '--port', '0', '--data-dir', place],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: {
          PATH: process.env['PATH'],
          GANTRY_DEMO_PASSWORD: 'correct horse battery',
          GANTRY_LOG: 'error',
        },
      },
    )
    onTestFinished(() => void child.kill('SIGKILL'))
    const said = { out: '', err: '' }
    child.stdout.on('data', (bytes) => (said.out += bytes))
    child.stderr.on('data', (bytes) => (said.err += bytes))
    return { child, said, ended: once(child, 'close').then(([code]) => code as number | null) }
  }

  async function ready({ child, said, ended }: ReturnType<typeof start>): Promise<string> {
    for (;;) {
      const address = /^ready (http:\S+)$/m.exec(said.out)?.[1]
      if (address) return address
      if (child.exitCode !== null) throw new Error(`it ended: ${said.err}`)
      await Promise.race([once(child.stdout, 'data'), ended])
    }
  }

  async function kill(child: ChildProcess): Promise<void> {
    const ended = once(child, 'close')
    child.kill('SIGKILL')
    await ended
  }

  /** A signed-in user, who calls the API like a browser. */
  async function signIn(origin: string) {
    let cookie = ''
    const call = async (method: string, target: string, body?: unknown) => {
      const response = await fetch(origin + target, {
        method,
        headers: { origin, cookie, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      cookie = response.headers.get('set-cookie')?.split(';')[0] ?? cookie
      return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
    }
    const credentials = { username: 'admin', password: 'correct horse battery' }
    expect((await call('POST', '/v1/login/demo/local', credentials)).status).toBe(204)
    return call
  }

  const at = (target: string): string => `/v1/${target}?project=playground`

  test('refuses bulk bytes, lets users sign in and delete, and restarts after a kill', async () => {
    const first = start()
    let call = await signIn(await ready(first))
    const importing = { type: 'importing_blocks', block_size: 512 }
    const disk = { name: 'import', description: '', size: 1024 * MiB, disk_source: importing }
    expect((await call('POST', at('disks'), disk)).status).toBe(201)
    expect((await call('POST', at('disks/import/bulk-write-start'))).status).toBe(204)
    const spare = { ...disk, name: 'spare', disk_source: { type: 'blank', block_size: 512 } }
    expect((await call('POST', at('disks'), spare)).status).toBe(201)
    await expect.poll(() => fs.readdir(dataDir), { timeout: 20_000 }).toContain('ballast')

    const piece = Buffer.alloc(512 * 1024, 7).toString('base64')
    const write = (offset: number) =>
      call('POST', at('disks/import/bulk-write'), { offset, base64_encoded_data: piece })
    const answers = []
    for (let round = 0; round < 80; round += 1) {
      const four = [0, 1, 2, 3].map((part) => write((round * 4 + part) * 512 * 1024))
      answers.push(...(await Promise.all(four)))
      if (answers.at(-1)?.status === 507) break
    }
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204, 507]))
    const { body } = answers.find(({ status }) => status === 507) ?? {}
    expect(body).toMatchObject({
      error_code: 'InsufficientCapacity',
      help: expect.stringMatching(/^[\d.]+ MiB are free, and 40 MiB are reserved for the database\. Delete /),
      details: { reserve_bytes: 40 * MiB },
    })
    const { bavail, bsize } = await fs.statfs(folder)
    expect(bavail * bsize).toBeGreaterThan(30 * MiB)

    // Now another program uses up even the reserve.
    await fill()
    call = await signIn(await ready(first))
    const project = { name: 'made-when-full', description: '' }
    expect((await call('POST', '/v1/projects', project)).status).toBe(201)
    expect((await write(0)).status).toBe(507)
    expect((await call('DELETE', at('disks/spare'))).status).toBe(204)

    // Whether that released the ballast depends on the space left in the log; with space it is created again.
    await clear()
    await expect.poll(() => fs.readdir(dataDir), { timeout: 20_000 }).toContain('ballast')
    await kill(first.child)
    await fill()
    const second = start()
    call = await signIn(await ready(second))
    expect((await call('POST', at('disks/import/bulk-write-stop'))).status).toBe(204)
    expect((await call('POST', at('disks/import/finalize'), {})).status).toBe(204)
    expect((await call('DELETE', at('disks/import'))).status).toBe(204)
    await clear()
    expect((await call('POST', '/v1/projects', { ...project, name: 'made-later' })).status).toBe(201)
    await kill(second.child)
    expect(`${first.said.err}${second.said.err}`).not.toContain('a request failed')
  })

  test('explains why it cannot start, and starts once there is space', async () => {
    const fresh = path.join(folder, 'fresh')
    await fill()
    const refused = start(fresh)
    expect(await refused.ended).toBe(1)
    expect(refused.said.err).toMatch(
      /^gantry: The volume of .+ is full: [\d.]+ \w+ are free\. Nothing was lost\. Make room on it, or .+ start again\.\n$/,
    )
    expect(refused.said.out).toBe('')
    await fs.rm(dataDir, { recursive: true, force: true })
    await clear()
    const started = start(fresh)
    await ready(started)
    await kill(started.child)
  })
})
