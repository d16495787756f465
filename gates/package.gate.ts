import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { packGantry } from '../tools/lib/package.mjs'

const run = promisify(execFile)
let folder: string
let server: ChildProcess | undefined
let address = ''

// Only the packed file and nothing of the repository: an empty folder elsewhere, in which npm installs it.
beforeAll(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'gantry-package-'))
  const file = await packGantry(path.join(folder, 'packed'))
  await fs.mkdir(path.join(folder, 'installed'))
  await run('npm', ['install', '--no-audit', '--no-fund', file], { cwd: path.join(folder, 'installed') })
})
afterAll(async () => {
  // The processes started by npx are in its group, and end with it.
  if (server?.pid && server.exitCode === null) process.kill(-server.pid, 'SIGKILL')
  await fs.rm(folder, { recursive: true, force: true })
})

const gantry = async (...args: string[]) =>
  run('npx', ['--no', '--', 'gantry', ...args], { cwd: path.join(folder, 'installed') })
const installed = (...parts: string[]): string => path.join(folder, 'installed', ...parts)

test('it prints its version and its commands', async () => {
  const { version } = JSON.parse(
    await fs.readFile(installed('node_modules/gantry/package.json'), 'utf8'),
  ) as { version: string }
  await expect(gantry('--version')).resolves.toMatchObject({ stdout: `${version}\n` })
  await expect(gantry('--help')).resolves.toMatchObject({ stdout: expect.stringContaining('  doctor ') })
})

test('it depends on exact versions of its libraries, and on none of our packages', async () => {
  const { dependencies } = JSON.parse(
    await fs.readFile(installed('node_modules/gantry/package.json'), 'utf8'),
  ) as { dependencies: Record<string, string> }
  for (const [name, version] of Object.entries(dependencies)) {
    expect(name).not.toMatch(/^@gantry/)
    expect(version).toMatch(/^\d+\.\d+\.\d+$/)
  }
  const dist = installed('node_modules/gantry/server/dist')
  const imported = new Set<string>()
  for (const name of (await fs.readdir(dist)).filter((file) => file.endsWith('.js'))) {
    const code = await fs.readFile(path.join(dist, name), 'utf8')
    for (const [, module = ''] of code.matchAll(/^import [^"]*"([^".][^"]*)"/gm))
      if (!module.startsWith('node:'))
        imported.add(
          module
            .split('/')
            .slice(0, module.startsWith('@') ? 2 : 1)
            .join('/'),
        )
  }
  expect([...imported].filter((name) => !(name in dependencies))).toEqual([])
  expect(imported.size).toBeGreaterThan(5)
})

test('every document that its files name is part of it', async () => {
  const home = installed('node_modules/gantry')
  const names = await fs.readdir(home, { recursive: true })
  const readers = names.filter((name) => /^(README|docs\/.*)\.md$|^server\/.*\.(js|service)$/.test(name))
  const missing: string[] = []
  for (const name of readers) {
    const text = await fs.readFile(path.join(home, name), 'utf8')
    const links = name.endsWith('.md') ? [...text.matchAll(/\]\((?!https?:|[#/])([^)#]+)/g)] : []
    const named = [
      ...links.map(([, link = '']) => path.join(path.dirname(name), link)),
      ...(text.match(/\bdocs\/[\w/-]+\.md/g) ?? []),
    ]
    missing.push(...named.filter((file) => !names.includes(file)).map((file) => `${file} of ${name}`))
  }
  expect(missing).toEqual([])
})

test.skipIf(process.platform !== 'linux')('as-gantry runs as the owner of the data directory', async () => {
  const data = path.join(folder, 'service-data')
  const options = path.join(folder, 'gantry.env')
  const programs = path.join(folder, 'programs')
  await fs.mkdir(data)
  await fs.writeFile(options, 'GANTRY_OPTIONS="--port 1"\n')
  await fs.mkdir(programs)
  // The real one needs root.
  await fs.writeFile(path.join(programs, 'runuser'), '#!/bin/sh\necho "$@"\n', { mode: 0o755 })
  const script = await fs.readFile(installed('node_modules/gantry/server/systemd/as-gantry'), 'utf8')
  const here = script.replaceAll('/var/lib/gantry', data).replaceAll('/etc/gantry/gantry.env', options)
  const { stdout } = await run('sh', ['-c', here, 'as-gantry', 'gantry', 'doctor'], {
    env: { PATH: `${programs}:${process.env['PATH']}` },
  })
  expect(stdout).toBe(`-u ${os.userInfo().username} -- gantry doctor\n`)
})

test.skipIf(process.platform === 'win32')('every user may read the build it is packed from', async () => {
  const dist = path.join(import.meta.dirname, '../packages/server/dist')
  const names = ['', ...(await fs.readdir(dist, { recursive: true }))]
  const closed = await Promise.all(
    names.map(async (name) => ((await fs.stat(path.join(dist, name))).mode & 0o004 ? [] : name)),
  )
  expect(closed.flat()).toEqual([])
})

test('it serves the console and its API until it is stopped', async () => {
  server = spawn('npx', ['--no', '--', 'gantry', 'serve', '--port', '0'], {
    cwd: installed(),
    env: { ...process.env, GANTRY_DEMO_PASSWORD: 'pebble-quarry-lamp' },
    detached: true,
  })
  let output = ''
  server.stderr?.on('data', (bytes) => (output += bytes))
  await new Promise<void>((resolve, reject) => {
    server?.stdout?.on('data', (bytes) => {
      output += bytes
      address = /^ready (http:\S+)$/m.exec(output)?.[1] ?? ''
      if (address) resolve()
    })
    server?.once('exit', (code) => reject(new Error(`it ended with ${code}:\n${output}`)))
  })

  const page = await fetch(`${address}/`, { headers: { 'accept-encoding': 'br' } })
  expect(page.status).toBe(200)
  expect(page.headers.get('content-encoding')).toBe('br')
  const html = await page.text()
  const [, script = ''] = /<script[^>]+src="([^"]+)"/.exec(html) ?? []
  await expect(fetch(address + script).then(({ status }) => status)).resolves.toBe(200)

  const signedIn = await fetch(`${address}/v1/login/demo/local`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: address },
    body: JSON.stringify({ username: 'member', password: 'pebble-quarry-lamp' }),
  })
  expect(signedIn.status).toBe(204)
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
  const send = (method: string, at: string, body?: object) =>
    fetch(address + at, {
      method,
      headers: { cookie, origin: address, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
  const made = await send('POST', '/v1/instances?project=playground', {
    name: 'web',
    description: '',
    hostname: 'web',
    ncpus: 1,
    memory: 1024 ** 3,
  })
  expect(made.status).toBe(201)
  await expect
    .poll(
      async () => {
        const answer = await send('GET', '/v1/instances/web?project=playground')
        return ((await answer.json()) as { run_state: string }).run_state
      },
      { timeout: 60_000, interval: 500 },
    )
    .toBe('running')
})

test('its commands for a running server reach it', async () => {
  await expect(gantry('ping', '--url', address)).resolves.toMatchObject({ stdout: 'status  ok\n' })
})

test('it is backed up while running, and restored beside it', async () => {
  await gantry('backup', 'backup.tgz')
  await gantry('restore', 'backup.tgz', '--data-dir', 'restored')
  const { stdout } = await gantry('doctor', '--data-dir', 'restored', '--port', '0', '--json')
  const { ok, findings } = JSON.parse(stdout) as { ok: boolean; findings: { check: string; state: string }[] }
  expect(ok).toBe(true)
  expect(findings.find(({ check }) => check === 'program')).toMatchObject({ state: 'ok' })
})

test('a signal stops it, and its lock is released', async () => {
  const ended = once(server as ChildProcess, 'exit')
  // To npx and its children, like a terminal.
  process.kill(-(server?.pid ?? 0), 'SIGTERM')
  await ended
  await expect
    .poll(async () => (await fs.readdir(installed('data'))).sort(), { timeout: 15_000 })
    .toEqual(['ballast', 'blocks', 'database'])
})
