import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs/promises'
import http2 from 'node:http2'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { bundled } from '../testing/bundled.ts'
import { authority, ecKey, expiredCertificate, serverCertificate } from '../testing/certificates.ts'
import { prepareDataDir } from '../testing/prepared-data-dir.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

let program: Awaited<ReturnType<typeof bundled>>
let dataDir: string

beforeAll(async () => {
  program = await bundled('src/testing/fake-gantry.ts')
  // Shared by all tests, because each process releases it.
  dataDir = await fs.mkdtemp(path.join(os.tmpdir(), 'gantry-test-'))
  await prepareDataDir(dataDir)
})
afterAll(async () => {
  await program.remove()
  await fs.rm(dataDir, { recursive: true, force: true })
})

function start(args: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [program.file, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], ...env },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const said = { out: '', err: '' }
  child.stdout.on('data', (bytes) => (said.out += bytes))
  child.stderr.on('data', (bytes) => (said.err += bytes))
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...said }))
  return {
    child,
    said,
    ended,
    async ready(): Promise<string> {
      for (;;) {
        const address = /^ready (https?:\S+)$/m.exec(said.out)?.[1]
        if (address) return address
        if (child.exitCode !== null) throw new Error(`it ended: ${said.err}`)
        await once(child.stdout, 'data')
      }
    },
  }
}

const serve = (...more: string[]): string[] => ['serve', '--port', '0', '--data-dir', dataDir, ...more]

describe('the command line', () => {
  test.each([
    [['serve', '--prot', '1'], "gantry: Unknown option '--prot'. See gantry --help.\n"],
    [
      ['serve', '--port', 'x'],
      'gantry: --port takes a number from 0 to 65535, and "x" is none. See gantry --help.\n',
    ],
  ])('%j exits with 2 and a sentence', async (args, sentence) => {
    await expect(start(args).ended).resolves.toEqual({ code: 2, out: '', err: sentence })
  })

  test('help and version', async () => {
    const help = await start(['serve', '--help']).ended
    expect(help).toMatchObject({ code: 0, out: expect.stringContaining('--data-dir FOLDER') })
    await expect(start(['--version']).ended).resolves.toMatchObject({ code: 0, out: '1.2.3\n' })
  })
})

test('a sample release into something that is no folder is refused in a sentence', async () => {
  const { code, err } = await start(['sample', '1.2.0', '--out', program.file]).ended
  expect(err).toMatch(
    /^gantry: .+ cannot be written: a file is where a folder should be \(EEXIST.+Name another place\.\n$/,
  )
  expect(code).toBe(1)
})

describe('starting', () => {
  test('shows a generated password once, on stdout, and nowhere else', async () => {
    const running = start(serve())
    const address = await running.ready()
    const password =
      /Password {2}(([bdfghjklmnprstvz][aeiou]){2}(-([bdfghjklmnprstvz][aeiou]){2}){4})$/m.exec(
        running.said.out,
      )?.[1]
    expect(running.said.out).toBe(
      '\n  Gantry is set up. This is shown only once:\n\n' +
        `  Address   ${address}\n  Silo      demo\n  Users     admin, member, viewer\n  Password  ${password}\n\n` +
        `ready ${address}\n`,
    )
    running.child.kill('SIGTERM')
    const { code, err } = await running.ended
    expect(code).toBe(0)
    expect(err).not.toContain(password)
    expect(
      err
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { msg: string }).msg),
    ).toEqual(expect.arrayContaining(['database is open', 'seeding', 'stopping', 'stopped']))
  })

  test('uses the password of the environment, and with --empty creates the recovery silo', async () => {
    const running = start(serve('--empty', '--origin', 'https://gantry.example'), {
      GANTRY_DEMO_PASSWORD: 'pebble-quarry-lamp',
    })
    await running.ready()
    expect(running.said.out).toContain(
      '  Address   https://gantry.example\n  Silo      recovery\n  User      recovery\n  Password  pebble-quarry-lamp\n',
    )
    running.child.kill('SIGINT')
    await expect(running.ended).resolves.toMatchObject({ code: 0 })
  })

  test('with an existing database only says that it is ready, and a closed terminal stops it', async () => {
    const running = start(serve(), { FAKE_SEEDED: 'yes' })
    const address = await running.ready()
    expect(running.said.out).toBe(`ready ${address}\n`)
    await expect(fetch(`${address}/v1/me`).then(({ status }) => status)).resolves.toBe(200)
    running.child.kill('SIGHUP')
    await expect(running.ended).resolves.toMatchObject({ code: 0 })
  })

  test('serves TLS itself, and redirects browsers there', async () => {
    const folder = await temporaryFolder()
    const [cert, key] = [path.join(folder, 'cert.pem'), path.join(folder, 'key.pem')]
    await fs.writeFile(cert, serverCertificate)
    await fs.writeFile(key, ecKey)
    const running = start(
      serve('--tls-cert', cert, '--tls-key', key, '--http-port', '0', '--dns-zone', 'example'),
    )
    const { protocol, port } = new URL(await running.ready())
    expect(protocol).toBe('https:')
    const client = http2.connect(`https://localhost:${port}`, {
      ca: authority,
      servername: 'acme.sys.example',
    })
    client.on('error', () => {})
    const stream = client.request({ ':path': '/v1/me' })
    const [headers] = (await once(stream, 'response')) as [http2.IncomingHttpHeaders]
    expect(headers).toMatchObject({ ':status': 200, 'strict-transport-security': expect.any(String) })
    client.destroy()
    const [, plainPort] = /"port":(\d+),.*redirecting to https/.exec(running.said.err) ?? []
    const sent = await fetch(`http://127.0.0.1:${plainPort}/nothing`, { redirect: 'manual' })
    expect([sent.status, sent.headers.get('location')]).toEqual([308, `https://127.0.0.1:${port}/nothing`])
    running.child.kill('SIGTERM')
    await expect(running.ended).resolves.toMatchObject({ code: 0 })
  })

  test('without a usable certificate says what is wrong with it', async () => {
    const folder = await temporaryFolder()
    const [cert, key] = [path.join(folder, 'cert.pem'), path.join(folder, 'key.pem')]
    await fs.writeFile(cert, expiredCertificate)
    await fs.writeFile(key, ecKey)
    await expect(start(serve('--tls-cert', cert, '--tls-key', key)).ended).resolves.toMatchObject({
      code: 1,
      err: `gantry: ${cert}, ${key}: The certificate expired on 2021-01-01. Renew it, and every certificate of its chain.\n`,
    })
  })

  test('serves metrics on a separate port', async () => {
    const running = start(serve('--admin-port', '0'))
    const address = await running.ready()
    await fetch(`${address}/v1/me`)
    const url = /"url":"(http:[^"]+)"/.exec(running.said.err)?.[1] ?? ''
    await expect(fetch(url).then((answer) => answer.text())).resolves.toContain(
      'operation="unknown",status="200"',
    )
    running.child.kill('SIGTERM')
    await expect(running.ended).resolves.toMatchObject({ code: 0 })
  })

  test('on a port in use is refused before anything is created', async () => {
    const taken = net.createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    onTestFinished(() => void taken.close())
    const { port } = taken.address() as net.AddressInfo
    await expect(start(serve('--port', String(port))).ended).resolves.toEqual({
      code: 1,
      out: '',
      err: `gantry: Port ${port} on 127.0.0.1 is in use. Stop what uses it, or choose another with --port.\n`,
    })
  })

  test('on a data directory in use names the process that holds it', async () => {
    const first = start(serve())
    await first.ready()
    const second = await start(serve()).ended
    expect(second.code).toBe(1)
    expect(second.err).toContain(`is in use by process ${first.child.pid}. Stop that process first`)
  })

  test('on the database of a newer version is refused in a sentence', async () => {
    const { code, err } = await start(serve(), { FAKE_NEWER: 'yes', GANTRY_LOG: 'fatal' }).ended
    expect({ code, err }).toEqual({ code: 1, err: 'gantry: A newer version wrote it.\n' })
  })

  test.each([
    ['postgres://127.0.0.1:1/x', 'No database server answers at 127.0.0.1:1.'],
    ['postgres://u:hunter2@no-such-host.invalid/x', 'no-such-host.invalid'],
  ])('without the database at %s says what to check', async (url, sentence) => {
    const { code, err } = await start(serve('--database', url)).ended
    expect(code).toBe(1)
    expect(err).toContain(sentence)
    expect(err).not.toContain('hunter2')
  })
})

describe('stopping', () => {
  test('waits for requests and streams, and releases the data directory', async () => {
    const running = start(serve())
    const address = await running.ready()
    const stream = await fetch(`${address}/v1/stream`)
    const slow = fetch(`${address}/v1/slow`)
    await stream.body?.getReader().read()
    // Only its response shows that the slow request has arrived.
    await new Promise((resolve) => setTimeout(resolve, 150))
    running.child.kill('SIGTERM')
    await expect(slow.then(({ status }) => status)).resolves.toBe(200)
    await expect(running.ended).resolves.toMatchObject({ code: 0 })
    // The ballast appears some time after the start.
    const left = (await fs.readdir(dataDir)).filter((name) => name !== 'ballast')
    expect(left.sort()).toEqual(['blocks', 'database'])
  })

  test('is immediate on a second signal', async () => {
    const running = start(serve())
    const address = await running.ready()
    const { host, port } = new URL(address)
    const hanging = net.connect(Number(port), '127.0.0.1')
    hanging.on('error', () => {})
    hanging.write(`POST /v1/me HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 10\r\n\r\n`)
    await new Promise((resolve) => setTimeout(resolve, 100))
    running.child.kill('SIGINT')
    while (!running.said.err.includes('"stopping"')) await once(running.child.stderr, 'data')
    // One key press may arrive twice; that is not a second request.
    running.child.kill('SIGINT')
    await new Promise((resolve) => setTimeout(resolve, 400))
    expect(running.child.exitCode).toBeNull()
    const started = performance.now()
    running.child.kill('SIGINT')
    await expect(running.ended).resolves.toMatchObject({ code: 1 })
    expect(performance.now() - started).toBeLessThan(1000)
  })

  test('by an unhandled rejection is logged', async () => {
    const { code, err } = await start(serve(), { FAKE_REJECTION: 'yes' }).ended
    expect(code).toBe(1)
    expect(err).toContain('a rejection that nobody handled')
    expect(err).toContain('forgotten')
  })
})
