import { execFile, spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as op from '@gantry/api/client/operations.gen'
import { Client } from '../e2e/support/client.ts'
import { commandLine } from '../e2e/support/command-line.ts'
import { Gantry } from '../e2e/support/gantry.ts'
import { codeOf } from '../packages/console/src/kit/code/code.ts'
import { packClient, writeCommandLine } from '../tools/lib/package-client.mjs'

const execute = promisify(execFile)
const root = path.join(import.meta.dirname, '..')
const GiB = 1024 ** 3

let folder: string
let gantry: Gantry
let admin: Client
let program: string
let library: string
let token: string
let run: ReturnType<typeof commandLine>['run']
let start: ReturnType<typeof commandLine>['start']
let startIn: ReturnType<typeof commandLine>['startIn']

beforeAll(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'gantry-command-line-'))
  gantry = await new Gantry().start()
  program = await writeCommandLine(path.join(folder, 'packed'))
  library = await packClient(path.join(folder, 'packed'))
  ;({ run, start, startIn } = commandLine(path.join(folder, 'home'), program))
  admin = new Client(gantry)
  await admin.signIn()
  const login = start('login', gantry.url)
  const user_code = await login.said(/^ {2}([A-Z]{3}-[A-Z]{5})$/m)
  await admin.send('POST', '/device/confirm', { user_code })
  const { code, err } = await login.ended
  if (code !== 0) throw new Error(err)
  const file = JSON.parse(await fs.readFile(path.join(folder, 'home/gantry/profiles.json'), 'utf8')) as {
    profiles: { default: { token: string } }
  }
  ;({ token } = file.profiles.default)
  await run('project', 'create', '--name', 'typed', '--description', '')
})
afterAll(async () => {
  await gantry?.remove()
  await fs.rm(folder, { recursive: true, force: true })
})

const installed = () => path.join(folder, 'installed')
const compile = (file: string) =>
  execute(
    process.execPath,
    [
      path.join(root, 'node_modules/typescript/bin/tsc'),
      '--strict',
      '--target',
      'es2023',
      '--module',
      'nodenext',
      '--outDir',
      'out',
      '--typeRoots',
      path.join(root, 'node_modules/@types'),
      '--types',
      'node',
      file,
    ],
    { cwd: installed() },
  )

const blank = '{"type":"distributed","disk_source":{"type":"blank","block_size":512}}'
const createDisk = (name: string, ...more: string[]) =>
  run(
    'disk',
    'create',
    '--project',
    'typed',
    '--name',
    name,
    '--description',
    '',
    '--size',
    '1GiB',
    '--disk-backend',
    blank,
    ...more,
  )
const listed = async (...more: string[]) => {
  const { out } = await run('disk', 'list', '--project', 'typed', '--json', ...more)
  return (JSON.parse(out) as { name: string }[]).map(({ name }) => name)
}

describe('the commands for a running server, as one file', () => {
  test('lists follow pages, limits and filters', async () => {
    for (const name of ['one', 'two', 'three']) await createDisk(name, '--tag', `set=${name.length}`)
    expect(await listed()).toEqual(['one', 'three', 'two'])
    const first = await run('disk', 'list', '--project', 'typed', '--limit', '2', '--columns', 'name')
    expect(first).toEqual({
      code: 0,
      out: 'NAME\none\nthree\n',
      err: 'The first 2 rows. More: --limit N, or --all.\n',
    })
    expect(await listed('--all')).toHaveLength(3)
    expect(await listed('--filter', 'tag:set=3')).toEqual(['one', 'two'])
  })

  test('a plan shows what would happen, and nothing happens', async () => {
    const { code, out } = await run('disk', 'delete', 'one', '--project', 'typed', '--plan')
    expect([code, JSON.parse(out)]).toMatchObject([
      0,
      { changes: [{ kind: 'disk', name: 'one', action: 'deleted' }] },
    ])
    expect(await listed()).toContain('one')
  })

  test('a body comes from a file or standard input', async () => {
    const piped = start('disk', 'create', '--project', 'typed', '--body', '-', '--description', 'over')
    piped.child.stdin?.end(
      JSON.stringify({
        name: 'piped',
        description: '',
        size: GiB,
        disk_backend: { type: 'distributed', disk_source: { type: 'blank', block_size: 512 } },
      }),
    )
    expect(await piped.ended).toMatchObject({ code: 0, out: expect.stringContaining('over') })
  })

  test('what the server refuses has its words, and every kind of end its exit code', async () => {
    await expect(createDisk('one')).resolves.toMatchObject({
      code: 1,
      err: 'gantry: Disk name already exists. Choose another name.\n',
    })
    await expect(run('disk', 'view')).resolves.toMatchObject({ code: 2 })
    await expect(run('disk', 'view', 'x', '--project', 'typed')).resolves.toMatchObject({ code: 4 })
    await expect(
      startIn({ GANTRY_URL: gantry.url, GANTRY_TOKEN: 'wrong' }, 'project', 'list').ended,
    ).resolves.toMatchObject({
      code: 3,
      err: 'gantry: Credentials missing or invalid. Sign in and try again.\n',
    })
    const port = new URL(gantry.url).port === '1025' ? '1026' : '1025'
    const nowhere = { GANTRY_URL: `http://127.0.0.1:${port}`, GANTRY_TOKEN: token }
    await expect(startIn(nowhere, 'project', 'list').ended).resolves.toMatchObject({
      code: 5,
      err: expect.stringContaining(`No answer from http://127.0.0.1:${port}. Nothing listens there`),
    })
    await expect(
      startIn({ GANTRY_URL: gantry.url, GANTRY_TOKEN: token }, 'project', 'list').ended,
    ).resolves.toMatchObject({ code: 0 })
  })

  test('both editions of the API answer', async () => {
    await expect(run('external-subnet', 'list', '--project', 'typed')).resolves.toMatchObject({
      code: 0,
      err: 'Nothing found.\n',
    })
    await expect(run('ping', '--api-version', '2026081901.0.0')).resolves.toMatchObject({ code: 0 })
    await expect(run('ping', '--api-version', '9999999999.0.0')).resolves.toMatchObject({ code: 1 })
  })

  test('watching shows every change', async () => {
    const watching = start('disk', 'list', '--project', 'typed', '--columns', 'name', '--watch')
    await watching.said(/^(one)$/m)
    await createDisk('watched')
    await watching.said(/^(watched)$/m)
    watching.child.kill('SIGINT')
    await expect(watching.ended).resolves.toMatchObject({ err: '' })
  })

  test('a reader that closes the pipe early ends it quietly', async () => {
    const shell = `"${process.execPath}" "${program}" commands | head -1`
    const { stdout, stderr } = await execute('bash', ['-o', 'pipefail', '-c', shell])
    expect(stdout.split('\n')).toHaveLength(2)
    expect(stderr).toBe('')
  })

  test('it is one file without the server', async () => {
    const help = await run('--help')
    expect(help.out).toContain('login URL')
    await expect(run('serve')).resolves.toMatchObject({
      code: 2,
      err: expect.stringContaining("server's package"),
    })
  })
})

describe('the serial console and files', () => {
  test('a console shows its history, passes on what is typed, and is refused in the words of the server', async () => {
    const size = ['--hostname', 'web', '--ncpus', '1', '--memory', '1GiB']
    await run('instance', 'create', '--project', 'typed', '--name', 'web', '--description', '', ...size)
    await expect
      .poll(async () => (await run('instance', 'view', 'web', '--project', 'typed')).out, {
        timeout: 60_000,
        interval: 500,
      })
      .toContain('running')
    const console = start('console', 'web', '--project', 'typed')
    await console.said(/(login: )/)
    console.child.stdin?.write('root\r')
    await console.said(/login: root\s+(Password: )/)
    console.child.kill('SIGINT')
    await console.ended
    await expect(run('console', 'nothing', '--project', 'typed')).resolves.toMatchObject({
      code: 4,
      err: expect.stringContaining('Not found: instance with name "nothing"'),
    })
  })

  test('a file becomes an image, with its bytes and its zeros', async () => {
    const file = path.join(folder, 'image.raw')
    const bytes = Buffer.concat([randomBytes(5_000_192), Buffer.alloc(20 * 1024 ** 2), randomBytes(512)])
    await fs.writeFile(file, bytes)
    const about = ['--project', 'typed', '--os', 'debian', '--version', '13']
    await expect(run('cp', file, 'image:mine', ...about)).resolves.toEqual({
      code: 0,
      out: '',
      err: 'Image mine is created.\n',
    })
    const { out } = await run('image', 'view', 'mine', '--project', 'typed', '--json')
    const { size, digest } = JSON.parse(out) as { size: number; digest: { value: string } | null }
    expect(size).toBe(bytes.length)
    expect(digest?.value).toBe(createHash('sha256').update(bytes).digest('hex'))
    await expect(run('cp', file, 'image:mine', ...about)).resolves.toMatchObject({
      code: 1,
      err: expect.stringContaining('name already exists'),
    })
    await expect(run('cp', file, 'image:other', ...about, '--resume')).resolves.toMatchObject({ code: 4 })
    await expect(run('cp', 'image:mine', file)).resolves.toMatchObject({ code: 2 })
    const left = await run('image-upload', 'list', '--project', 'typed', '--json')
    expect((JSON.parse(left.out) as { state: string }[]).filter(({ state }) => state === 'open')).toEqual([])
  })

  test('an interrupted upload is continued', async () => {
    const file = path.join(folder, 'resumed.raw')
    const size = 9 * 1024 ** 2
    await fs.writeFile(file, randomBytes(size))
    const about = ['--project', 'typed', '--os', 'debian', '--version', '13']
    const fields = ['--name', 'resumed', '--description', '', '--block-size', '512', '--size', String(size)]
    const begun = await run('image-upload', 'create', ...about, ...fields, '--json')
    const { id } = JSON.parse(begun.out) as { id: string }
    const head = path.join(folder, 'head')
    await fs.writeFile(head, (await fs.readFile(file)).subarray(0, 4 * 1024 ** 2))
    await expect(run('image-upload', 'write', id, '--offset', '0', '--body', head)).resolves.toMatchObject({
      code: 0,
    })
    await expect(run('cp', file, 'image:resumed', ...about, '--resume')).resolves.toMatchObject({ code: 0 })
    const { out } = await run('image', 'view', 'resumed', '--project', 'typed', '--json')
    expect((JSON.parse(out) as { digest: { value: string } }).digest.value).toBe(
      createHash('sha256')
        .update(await fs.readFile(file))
        .digest('hex'),
    )
  })

  test('a support bundle is downloaded whole', async () => {
    const { out } = await run('support-bundle', 'create', '--json')
    const { id } = JSON.parse(out) as { id: string }
    await expect
      .poll(async () => (await run('support-bundle', 'view', id)).out, { timeout: 60_000, interval: 500 })
      .toContain('active')
    const file = path.join(folder, 'bundle.zip')
    await expect(run('cp', `bundle:${id}`, file)).resolves.toEqual({ code: 0, out: '', err: '' })
    const head = await run('support-bundle', 'head', id)
    expect(head.out).toContain(String((await fs.stat(file)).size))
    await expect(run('cp', `bundle:${id}x`, file)).resolves.not.toMatchObject({ code: 0 })
  })
})

describe('completion', () => {
  const shell = (name: string, script: string) => {
    const bin = path.join(folder, 'bin')
    return execute(name, ['-c', script], {
      env: { PATH: `${bin}:${path.dirname(process.execPath)}:${process.env['PATH']}`, HOME: folder },
    })
  }
  beforeAll(async () => {
    await fs.mkdir(path.join(folder, 'bin'))
    await fs.symlink(program, path.join(folder, 'bin/gantry'))
  })
  const isMissing = (name: string) => spawnSync(name, ['--version']).error !== undefined

  test('bash', async () => {
    const script = `source <(gantry completion bash)
      COMP_WORDS=(gantry disk create --si); COMP_CWORD=3; _gantry; echo "\${COMPREPLY[*]}"
      COMP_WORDS=(gantry instance list --state ''); COMP_CWORD=4; _gantry; echo "\${#COMPREPLY[@]} \${COMPREPLY[2]}"`
    await expect(shell('bash', script)).resolves.toMatchObject({ stdout: '--size\n10 running\n' })
  })

  test.skipIf(isMissing('zsh'))('zsh', async () => {
    const script = `autoload -U compinit; compinit -u -d ${folder}/zcompdump
      source <(gantry completion zsh)
      _describe() { shift; print -l -- "\${(@P)1}" }
      _files() { print files }
      words=(gantry disk cr); CURRENT=3; _gantry; words=(gantry disk create ''); CURRENT=4; _gantry`
    await expect(shell('zsh', script)).resolves.toMatchObject({ stdout: 'create:Create a disk\nfiles\n' })
  })

  test.skipIf(isMissing('fish'))('fish', async () => {
    const script = `gantry completion fish | source; complete -C 'gantry disk cr'`
    await expect(shell('fish', script)).resolves.toMatchObject({ stdout: 'create\tCreate a disk\n' })
  })
})

describe('the client library', () => {
  test('compiles and runs the example of its package, without the repository', async () => {
    await fs.mkdir(installed())
    await fs.writeFile(path.join(installed(), 'package.json'), '{"type":"module"}')
    await execute('npm', ['install', '--no-audit', '--no-fund', library], { cwd: installed() })
    await fs.copyFile(
      path.join(installed(), 'node_modules/@gantry/client/example.ts'),
      path.join(installed(), 'example.ts'),
    )
    await compile('example.ts')
    const env = { PATH: process.env['PATH'], GANTRY_URL: gantry.url, GANTRY_TOKEN: token }
    const { stdout } = await execute(process.execPath, ['out/example.js', 'typed'], { cwd: installed(), env })
    expect(stdout).toMatch(/^created scratch at 20.*\n(.* 1 GiB .*\n)+deleted scratch\n$/)
    const refused = execute(process.execPath, ['out/example.js', 'nowhere'], { cwd: installed(), env })
    await expect(refused).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('not found: project with name "nowhere"'),
    })
  })

  test('refuses to compile what the API does not take', async () => {
    const lines = [
      "import { createClient, op } from '@gantry/client'",
      'const client = createClient()',
      "export const a = client(op.diskView, { path: { disk: 'a' }, query: { project: 1 } })",
      "export const b = client(op.diskView, { query: { project: 'p' } })",
      "export const c = client(op.diskView, { path: { disk: 'a' } }).then((r) => r.type === 'success' && r.data.sise)",
    ]
    await fs.writeFile(path.join(installed(), 'wrong.ts'), `${lines.join('\n')}\n`)
    const { stdout } = await compile('wrong.ts').catch((error: { stdout: string }) => error)
    expect([...stdout.matchAll(/^wrong\.ts\((\d+)/gm)].map(([, line]) => line)).toEqual(['3', '4', '5'])
  })
})

describe('what the console shows as code', () => {
  const body = {
    name: 'web',
    description: 'a "quoted" ${text}',
    hostname: 'web',
    ncpus: 1,
    memory: GiB,
    bootDisk: {
      type: 'create',
      name: 'boot',
      description: '',
      size: GiB,
      diskBackend: { type: 'distributed', diskSource: { type: 'blank', blockSize: 512 } },
    },
    disks: [{ type: 'attach', name: 'data' }],
    externalIps: [{ type: 'ephemeral' }, { type: 'floating', floatingIp: 'door' }],
    networkInterfaces: { type: 'default_ipv4' },
    sshPublicKeys: ['laptop'],
  }
  const query = { project: 'typed' }

  test.skipIf(spawnSync('terraform', ['version']).error !== undefined)(
    'Terraform reads it, already formatted',
    () => {
      const requests = [
        { op: op.instanceCreate, input: { query, body } },
        {
          op: op.vpcSubnetCreate,
          input: {
            query: { ...query, vpc: 'default' },
            body: { name: '1x', description: '', ipv4Block: '10.0.0.0/24' },
          },
        },
        {
          op: op.projectView,
          input: { path: query },
          shown: { id: 'i', name: 'typed', description: 'a\nb' },
        },
      ]
      for (const request of requests) {
        const { Terraform } = codeOf(request, gantry.url)
        const input = `${Terraform}\n`
        const { status, stdout, stderr } = spawnSync('terraform', ['fmt', '-'], { input, encoding: 'utf8' })
        expect([status, stderr.includes('Error'), stdout]).toEqual([0, false, input])
      }
    },
  )

  test('TypeScript of it compiles with the client library', async () => {
    const code = codeOf(
      { op: op.instanceCreate, input: { query, body }, tags: [{ key: 'a', value: 'b' }] },
      gantry.url,
    )
    await fs.writeFile(
      path.join(installed(), 'shown.ts'),
      `${code.TypeScript}\nexport const name: string = answer.name\n`,
    )
    await expect(compile('shown.ts')).resolves.toMatchObject({ stdout: '' })
  })
})
