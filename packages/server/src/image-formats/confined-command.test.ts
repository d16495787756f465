import { execFile } from 'node:child_process'
import { randomFillSync } from 'node:crypto'
import fs from 'node:fs/promises'
import http from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import { qcow2File, vmdkFile } from '@gantry/api/storage/image-file.fixtures'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { imageFormatFindings } from './findings.ts'
import { hostTools } from './host-tools.ts'
import { runTool } from './run-tool.ts'

const run = promisify(execFile)
const MiB = 1024 ** 2
const { signal } = new AbortController()
const limits = { memoryBytes: 1024 * MiB, cpuSeconds: 20, fileBytes: MiB }

const tools = await hostTools(AbortSignal.timeout(60_000))
const why = tools.whyNot.get('qcow2')
if (why !== undefined) console.warn(`skipped: confinement of programs. ${why}`)
const program = tools.paths.get('qemu-img') ?? ''

/** Runs a program of the host instead of a shell. */
const confined = (program: string, args: string[], files: { input?: string; output?: string } = {}) =>
  runTool({ program, args, limits, ...files }, { signal })

describe.skipIf(why !== undefined)('a confined program', () => {
  test('sees libraries, itself and its files, and can write to nothing else', async () => {
    const folder = await temporaryFolder()
    const [input, output] = [path.join(folder, 'input'), path.join(folder, 'output')]
    await fs.writeFile(input, 'in')
    await fs.writeFile(output, '')
    const root = await confined('/bin/ls', ['-A', '/'], { input, output })
    const known = new Set(['bin', 'dev', 'etc', 'input', 'lib', 'lib32', 'lib64', 'output', 'usr'])
    expect(root.split('\n').filter((name) => !known.has(name))).toEqual([])
    expect(await confined('/bin/ls', ['-A', '/bin', '/dev', '/etc'])).not.toContain('passwd')
    expect(await confined('/bin/cat', ['/input'], { input })).toBe('in')
    for (const file of ['/etc/passwd', '/proc/self/environ', input, '/dev/zero', '/root', '/home'])
      await expect(confined('/bin/ls', [file])).rejects.toThrow('No such file or directory')
    for (const file of ['/new', '/input', '/bin/cp', '/usr/lib/new'])
      await expect(confined('/bin/cp', ['/dev/null', file], { input })).rejects.toThrow(
        /read-only|busy|denied/i,
      )
    await confined('/bin/cp', ['/input', '/output'], { input, output })
    expect(await fs.readFile(output, 'utf8')).toBe('in')
  })

  test('has no environment, no rights, no other processes and no other user', async () => {
    vi.stubEnv('GANTRY_SECRET', 'of-the-server')
    onTestFinished(() => void vi.unstubAllEnvs())
    expect(await confined('/usr/bin/env', [])).not.toContain('GANTRY_SECRET')
    expect(await confined('/usr/bin/env', [])).toContain('LC_ALL=C.UTF-8')
    // Without /proc there is nothing to see.
    await expect(confined('/bin/ps', [])).rejects.toThrow(/proc/)
    await expect(confined('/bin/kill', ['-0', String(process.pid)])).rejects.toThrow(/no such process/i)
  })

  test('cannot write beyond its limit, nor compute for longer', async () => {
    const folder = await temporaryFolder()
    const [input, output] = [path.join(folder, 'input'), path.join(folder, 'output')]
    await fs.writeFile(input, Buffer.alloc(2 * MiB, 1))
    await fs.writeFile(output, '')
    await expect(confined('/bin/cp', ['/input', '/output'], { input, output })).rejects.toMatchObject({
      why: 'size',
    })
    expect((await fs.stat(output)).size).toBeLessThanOrEqual(MiB)
    const endless = { program: '/usr/bin/yes', args: [], limits: { ...limits, cpuSeconds: 1 } }
    await expect(runTool(endless, { signal, onOutput: () => {} })).rejects.toMatchObject({ why: 'time' })
  })

  test('can start many threads within its memory', async () => {
    const folder = await temporaryFolder()
    const [input, output] = [path.join(folder, 'input'), path.join(folder, 'output')]
    const disk = Buffer.alloc(64 * MiB)
    randomFillSync(disk)
    await fs.writeFile(output, disk)
    await run(program, ['convert', '-O', 'vmdk', '-o', 'subformat=streamOptimized', output, input])
    const args = ['convert', '-m', '16', '-W', '-n', '-f', 'vmdk', '-O', 'raw', '/input', '/output']
    // With all 64 threads that qemu-img may start.
    const little = { memoryBytes: 256 * MiB, cpuSeconds: 20, fileBytes: 64 * MiB }
    await fs.truncate(output, 0)
    await fs.truncate(output, 64 * MiB)
    await runTool({ program, args, input, output, limits: little }, { signal })
    expect(disk.equals(await fs.readFile(output))).toBe(true)
  })

  test('ends when it is cancelled, and the reader of its output can end it', async () => {
    const endless = { program: '/usr/bin/yes', args: [], limits }
    const cancelled = new AbortController()
    const running = runTool(endless, {
      signal: cancelled.signal,
      onOutput: () => cancelled.abort(new Error('enough')),
    })
    await expect(running).rejects.toThrow('enough')
    const refusing = runTool(endless, {
      signal,
      onOutput: () => {
        throw new Error('too much')
      },
    })
    await expect(refusing).rejects.toThrow('too much')
    await expect(runTool(endless, { signal: cancelled.signal })).rejects.toThrow('enough')
  })
})

/*
 * The header checks refuse all of these. Here qemu-img gets them directly, like an image whose header passes the
 * checks: confinement must suffice alone.
 */
describe.skipIf(why !== undefined)('an image that names another file does not get it', () => {
  const SECRET = 'SECRET-OF-THE-HOST'

  /** Converts without confinement, and confined. */
  async function both(format: string, image: Uint8Array, make?: (file: string) => Promise<void>) {
    const folder = await temporaryFolder()
    const [input, free, output] = ['input', 'free', 'output'].map((name) => path.join(folder, name)) as [
      string,
      string,
      string,
    ]
    await fs.writeFile(input, image)
    await make?.(input)
    await run(program, ['convert', '-f', format, '-O', 'raw', input, free]).catch(() => {})
    await fs.writeFile(output, '')
    await fs.truncate(output, MiB)
    const refused = await runTool(
      {
        program,
        args: ['convert', '-n', '--target-is-zero', '-f', format, '-O', 'raw', '/input', '/output'],
        input,
        output,
        limits,
      },
      { signal },
    ).catch((error: Error) => error.message)
    const holds = (file: string) =>
      fs.readFile(file, 'latin1').then(
        (text) => text.includes(SECRET),
        () => false,
      )
    return { leaksFree: await holds(free), leaksConfined: await holds(output), refused }
  }

  async function victim(): Promise<string> {
    const file = path.join(await temporaryFolder(), 'victim')
    await fs.writeFile(file, SECRET)
    await fs.truncate(file, MiB)
    return file
  }

  test('as a backing file', async () => {
    const file = await victim()
    const image = qcow2File({ size: MiB, backingFile: file, extensions: [{ type: 0xe2792aca, data: 'raw' }] })
    expect(await both('qcow2', image)).toMatchObject({
      leaksFree: true,
      leaksConfined: false,
      refused: expect.stringContaining('No such file or directory'),
    })
  })

  test.each([
    'nbd://127.0.0.1:1/x',
    'json:{"driver":"file","filename":"/etc/passwd"}',
    'file:/etc/passwd',
    '/dev/mem',
    '/proc/self/mem',
    '/dev/fd/0',
  ])('as the backing file %s', async (backingFile) => {
    const image = qcow2File({ size: MiB, backingFile })
    expect(await both('qcow2', image)).toMatchObject({
      leaksConfined: false,
      refused: expect.stringMatching(/could not open|failed|no such|denied/i),
    })
  })

  test('as a data file', async () => {
    const file = await victim()
    const made = await both('qcow2', new Uint8Array(), async (input) => {
      const other = path.join(path.dirname(input), 'data')
      await run(program, [
        'create',
        '-q',
        '-f',
        'qcow2',
        '-o',
        `data_file=${other},data_file_raw=on`,
        input,
        '1M',
      ])
      await fs.writeFile(other, await fs.readFile(file))
    })
    expect(made).toMatchObject({
      leaksFree: true,
      leaksConfined: false,
      refused: expect.stringContaining('No such file'),
    })
  })

  test('as an extent', async () => {
    const file = await victim()
    const image = vmdkFile({
      size: MiB,
      descriptor: [
        '# Disk DescriptorFile',
        'version=1',
        'CID=1',
        'parentCID=ffffffff',
        'createType="monolithicFlat"',
        `RW 2048 FLAT "${file}" 0`,
      ],
    })
    // For a size of zero, QEMU reads the descriptor instead of the image.
    new DataView(image.buffer).setBigUint64(12, 0n, true)
    expect(await both('vmdk', image)).toMatchObject({
      leaksFree: true,
      leaksConfined: false,
      refused: expect.stringContaining('No such file'),
    })
  })

  test('as a parent', async () => {
    const file = await victim()
    const parent = path.join(path.dirname(file), 'parent.vmdk')
    await run(program, ['convert', '-f', 'raw', '-O', 'vmdk', file, parent])
    const made = await both('vmdk', new Uint8Array(), (input) =>
      run(program, ['create', '-q', '-f', 'vmdk', '-F', 'vmdk', '-b', parent, input]).then(() => {}),
    )
    expect(made).toMatchObject({
      leaksFree: true,
      leaksConfined: false,
      refused: expect.stringContaining('No such file'),
    })
  })

  test('as an address', async () => {
    let asked = 0
    const server = http.createServer((_, response) => {
      asked++
      response.end(SECRET.padEnd(MiB, '\0'))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const made = await both('qcow2', qcow2File({ size: MiB, backingFile: `http://127.0.0.1:${port}/x` }))
    const confinedAsked = await confined('/bin/cat', [`/dev/tcp/127.0.0.1/${port}`]).catch(() => 'refused')
    expect([made.leaksConfined, confinedAsked]).toEqual([false, 'refused'])
    // A build without the driver sends no request, even unconfined.
    expect(asked).toBeLessThanOrEqual(made.leaksFree ? 3 : 1)
  })
})

describe('the findings for operators', () => {
  afterEach(() => void vi.unstubAllEnvs())

  test('lists the formats, and what to install for the others', async () => {
    const findings = await imageFormatFindings()
    expect(findings).toHaveLength(1)
    expect(findings[0]).toMatchObject({
      check: 'image formats',
      message: expect.stringContaining('images are converted from'),
    })
    expect(findings[0]?.state).toBe(tools.whyNot.size === 0 ? 'ok' : 'warning')
  })
})
