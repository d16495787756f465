import fs from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { machineSpec } from '../../testing/qemu.ts'
import { temporaryFolder } from '../../testing/temporary-folder.ts'
import { confined, copyingUser, freeUser, isMapped, machineUsers, USERS } from './machine-users.ts'
import { cgroup2Mount, controlGroups, limitsOf } from './control-groups.ts'

const first = 0x7000_0000

test.each([
  ['         0          0 4294967295\n', true],
  ['0 100000 65536\n', false],
  ['0 1000 1\n1 100000 65536\n1879048192 1879048192 65536\n', true],
  ['1879048192 5 65535\n', false],
])('whether %j has the users of machines: %s', (map, has) => expect(isMapped(map, first)).toBe(has))

test('each machine gets the lowest free user, and none gets the user of copies', () => {
  const users = { first, why: '' }
  expect(freeUser(users, new Set())).toBe(first)
  expect(freeUser(users, new Set([first, first + 1, first + 3]))).toBe(first + 2)
  const all = new Set(Array.from({ length: USERS - 1 }, (_, index) => first + index))
  expect(all.has(copyingUser(users) ?? 0)).toBe(false)
  expect(() => freeUser(users, all)).toThrow('Every user for machines is taken')
  expect(freeUser({ first: undefined, why: 'x' }, new Set())).toBeUndefined()
})

test.skipIf(process.getuid?.() !== 0)('installations have users of their own', async () => {
  const [one, other] = [await machineUsers('000001'), await machineUsers('000002')]
  expect((other.first ?? 0) - (one.first ?? 0)).toBe(USERS)
})

test('a command loses its rights', () => {
  expect(confined({ user: 5, groups: [7] }).join(' ')).toBe(
    'prlimit --core=0:0 -- setpriv --no-new-privs --inh-caps=-all --reuid=5 --regid=5 --groups=7 --bounding-set=-all --',
  )
  expect(confined({ user: 5 })).toContain('--clear-groups')
  expect(confined({ user: undefined, endsWithThisProcess: true }).join(' ')).toBe(
    'prlimit --core=0:0 -- setpriv --no-new-privs --inh-caps=-all --pdeathsig=KILL --',
  )
})

/** A folder like that of control groups: only the kernel's part is missing. */
async function groupsWith(available: string): Promise<string> {
  const root = await temporaryFolder()
  await fs.writeFile(path.join(root, 'cgroup.controllers'), available)
  await fs.writeFile(path.join(root, 'cgroup.subtree_control'), '')
  return root
}

test('a machine is limited before its guest runs, and leaves no group', async () => {
  const root = await groupsWith('cpuset cpu io memory pids\n')
  const groups = await controlGroups('abc123', root)
  expect(groups.lacks).toBeUndefined()
  const spec = machineSpec({ ncpus: 2, memory: 1024 ** 3 })
  await groups.enter(spec, 4711)
  const group = path.join(root, 'gantry-abc123', spec.id)
  const written = Object.fromEntries(
    await Promise.all(
      (await fs.readdir(group)).map(async (file) => [
        file,
        await fs.readFile(path.join(group, file), 'utf8'),
      ]),
    ),
  )
  expect(written).toEqual({ ...limitsOf(spec), 'cgroup.procs': '4711' })
  expect(written['cpu.max']).toBe('300000 100000')
  expect(Number(written['memory.max'])).toBeGreaterThan(spec.memory)
  for (const file of await fs.readdir(group)) await fs.rm(path.join(group, file))
  await groups.remove(spec.id)
  await groups.remove(spec.id)
  await expect(fs.readdir(group)).rejects.toThrow('ENOENT')
})

test.each([
  ['hugetlb\n', 'lack controllers: cpu, memory, pids.'],
  ['cpu memory\n', 'lack controllers: pids.'],
])('with the controllers %j, it says what is missing', async (available, words) => {
  expect((await controlGroups('abc123', await groupsWith(available))).lacks).toContain(words)
})

test('without control groups machines run without limits, and the reason is shown', async () => {
  const none = await controlGroups('abc123', Promise.resolve(undefined))
  expect(none.lacks).toBe('The host has no control groups of version 2.')
  await none.enter(machineSpec(), 1)
  await none.remove('x')
  expect((await controlGroups('abc123', '/nowhere')).lacks).toContain('may not limit machines')
})

test('the mount is found beside mounts of version 1', () => {
  const mounts = [
    '31 25 0:27 / /sys/fs/cgroup/cpu rw,relatime shared:9 - cgroup cgroup rw,cpu',
    '40 25 0:36 / /sys/fs/cgroup/unified rw,relatime shared:18 - cgroup2 cgroup2 rw',
  ].join('\n')
  expect(cgroup2Mount(mounts)).toBe('/sys/fs/cgroup/unified')
  expect(cgroup2Mount('')).toBeUndefined()
})
