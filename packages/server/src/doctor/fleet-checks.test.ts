import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { hostEnvironment } from '../fleet/qemu/host/host-command.ts'
import { networkProblem } from '../fleet/qemu/network/requirements.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { fleetChecks } from './fleet-checks.ts'

afterEach(() => void vi.unstubAllEnvs())

test('missing programs are named once, with the packages to install', async () => {
  vi.stubEnv('PATH', await temporaryFolder())
  const [first, ...others] = await fleetChecks({}, true)
  expect(first).toMatchObject({ check: 'fleet', state: 'problem' })
  for (const program of ['qemu-system-x86_64', 'qemu-img', 'nsenter', 'pasta'])
    expect(first?.message).toMatch(new RegExp(`\\b${program}\\b`))
  for (const debian of ['qemu-system-x86', 'qemu-utils', 'util-linux', 'passt'])
    expect(first?.advice?.match(new RegExp(`\\b${debian}\\b(?!-)`, 'g'))).toHaveLength(1)
  expect(others.map(({ check }) => check)).toEqual([])
})

test('a host on which no process can lose its rights starts no machine', async () => {
  const folder = await temporaryFolder()
  const failing = new Set(['prlimit', 'unshare'])
  for (const program of ['qemu-system-x86_64', 'qemu-img', 'setpriv', 'fallocate', 'prlimit', 'unshare'])
    await writeFile(
      path.join(folder, program),
      `#!/bin/sh\n${failing.has(program) ? 'echo forbidden >&2; exit 1' : 'echo version 7.2.1'}\n`,
      { mode: 0o755 },
    )
  vi.stubEnv('PATH', folder)
  expect(await fleetChecks({})).toContainEqual({
    check: 'confinement',
    state: 'problem',
    message: expect.stringMatching(/^no machine can start, .*forbidden/s),
    advice: 'Allow user namespaces on this host, or in the container that the server runs in.',
  })
})

test('the programs of administrators are found by ordinary users too', () => {
  vi.stubEnv('PATH', '/usr/bin')
  expect(hostEnvironment()['PATH']).toBe(['/usr/bin', '/usr/sbin', '/sbin'].join(path.delimiter))
})

const asRoot = { asUser: false, externalInterface: undefined }
const asUser = { asUser: true, externalInterface: undefined }

describe.skipIf(process.getuid?.() !== 0 || !isAble())('networks', () => {
  test('work on a host with everything that they need', async () => {
    expect(await networkProblem(asRoot)).toBeUndefined()
    expect(await networkProblem(asUser)).toBeUndefined()
  })

  test('of a host without tap devices', async () => {
    const folder = await temporaryFolder()
    expect(await networkProblem(asRoot, path.join(folder, 'tun'))).toMatchObject({
      message: expect.stringContaining('(ENOENT)'),
      advice: expect.stringContaining('modprobe tun'),
    })
  })

  test.each([
    ['exit 1', /^namespaces cannot be made: .*ended with 1/],
    [
      'for last; do :; done; [ "$last" = true ] || { echo no nf_tables >&2; exit 1; }',
      /^the kernel lacks something that networks need: no nf_tables$/,
    ],
  ])('where %j is all that comes of namespaces', async (script, message) => {
    const folder = await temporaryFolder()
    await writeFile(path.join(folder, 'unshare'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    vi.stubEnv('PATH', folder)
    for (const wanted of [asRoot, asUser])
      expect(await networkProblem(wanted)).toMatchObject({ message: expect.stringMatching(message) })
  })

  test('of a host that its root may not change', async () => {
    const folder = await temporaryFolder()
    for (const [program, script] of [
      ['unshare', 'exit 0'],
      ['nft', 'echo Operation not permitted >&2; exit 1'],
    ] as const)
      await writeFile(path.join(folder, program), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    vi.stubEnv('PATH', folder)
    expect(await networkProblem(asRoot)).toEqual({
      message: 'the network of this host cannot be changed: Operation not permitted',
      advice: 'Give the server the capability NET_ADMIN, or its container a network of its own.',
    })
    expect(await networkProblem(asUser)).toBeUndefined()
  })

  test('with an external interface that the host does not have', async () => {
    const problem = await networkProblem({ ...asRoot, externalInterface: 'nowhere0' })
    expect(problem?.message).toMatch(
      /^The setting fleet\.external_interface names nowhere0, which this host does not have\. It has .+\.$/,
    )
  })

  test('with an external interface, of an ordinary user', async () => {
    expect(await networkProblem({ ...asUser, externalInterface: 'eth0' })).toMatchObject({
      message: 'The setting fleet.external_interface needs root.',
    })
  })

  test('are a finding of the doctor, as root and not', async () => {
    const of = async (user: boolean) =>
      (await fleetChecks({}, user)).find(({ check }) => check === 'networks')
    expect(await of(false)).toMatchObject({ state: 'ok' })
    expect(await of(true)).toMatchObject({ state: 'warning', advice: expect.stringContaining('as root') })
    expect(await fleetChecks({ external_interface: 'nowhere0' }, false)).toContainEqual(
      expect.objectContaining({ check: 'networks', state: 'problem' }),
    )
  })
})

/** Containers of CI often lack the rights. */
function isAble(): boolean {
  const can = (...words: [string, ...string[]]): boolean =>
    spawnSync(words[0], words.slice(1), { env: hostEnvironment() }).status === 0
  return (
    can('unshare', '--user', '--map-root-user', '--net', 'nft', 'list', 'tables') &&
    can('unshare', '--net', 'ip', 'tuntap', 'add', 'dev', 'trial', 'mode', 'tap') &&
    ['dnsmasq', 'pasta'].every((program) => can(program, '--version'))
  )
}
