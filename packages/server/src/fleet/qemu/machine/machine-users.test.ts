import { describe, expect, test } from 'vitest'
import { hostCommand } from '../host/host-command.ts'
import { confined, copyingUser, freeUser, isMapped, machineUsers, USERS } from './machine-users.ts'

const first = 0x7000_0000

test.each([
  ['         0          0 4294967295\n', true],
  ['0 100000 65536\n', false],
  ['0 1000 1\n1 100000 65536\n1879048192 1879048192 65536\n', true],
  ['1879048192 5 65535\n', false],
])('whether %j has the users of machines: %s', (map, has) => expect(isMapped(map, first)).toBe(has))

test.each([
  ['0 0 4294967295\n', true],
  ['0 1000 1\n1 100000 65536\n', true],
  ['0 1000 1\n', false],
])('whether %j has the users and groups of a system: %s', (map, has) =>
  expect(isMapped(map, 1, 65_534)).toBe(has),
)

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

/** The status of a process that these words start (`man 5 proc`). */
async function statusAfter(words: readonly string[]): Promise<Map<string, string>> {
  const text = await hostCommand([...words, 'cat', '/proc/self/status'])
  return new Map(text.split('\n').map((line) => [line.split(':')[0] ?? '', line.split(':')[1]?.trim() ?? '']))
}

/** Whether this host has these programs, and this process the rights. */
const can = (...words: string[]): Promise<boolean> =>
  hostCommand([...words, 'true']).then(
    () => true,
    () => false,
  )
const asFirst = ['setpriv', `--reuid=${first}`, `--regid=${first}`, '--clear-groups', '--']
const asNobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', '--']
const inNamespace = ['unshare', '--user', '--map-root-user', '--net', '--']
const withoutRights = ['setpriv', '--bounding-set=-all', '--']
/** A capability that a service may pass to its processes and their children. */
const withAmbient = ['setpriv', '--inh-caps=+net_raw', '--ambient-caps=+net_raw', '--']

describe.each<[string, { before: string[]; user: number | undefined }]>([
  ['that gets a user of its own', { before: [], user: first }],
  ['with ambient capabilities that gets a user of its own', { before: withAmbient, user: first }],
  ['that keeps its user', { before: [], user: undefined }],
  ['of an ordinary user', { before: asNobody, user: undefined }],
  ['of the root of a namespace', { before: inNamespace, user: undefined }],
  [
    'of an ordinary user who is the root of a namespace',
    { before: [...asNobody, ...inNamespace], user: undefined },
  ],
  ['with ambient capabilities that keeps its user', { before: withAmbient, user: undefined }],
])('a command %s', async (_, { before, user }) => {
  const isAble = await can(...before, ...(user === undefined ? [...inNamespace, ...withoutRights] : asFirst))
  test.skipIf(!isAble)('has no capabilities, and cannot get any', async () => {
    const status = await statusAfter([...before, ...confined({ user })])
    for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'])
      expect([set, status.get(set)]).toEqual([set, '0'.repeat(16)])
    expect(status.get('NoNewPrivs')).toBe('1')
  })
})

test.skipIf(!(await can(...asFirst)))(
  'a command has its user, and only the groups that it needs',
  async () => {
    const alone = await statusAfter(confined({ user: first }))
    expect([alone.get('Uid'), alone.get('Gid'), alone.get('Groups')]).toEqual([
      Array(4).fill(first).join('\t'),
      Array(4).fill(first).join('\t'),
      '',
    ])
    expect((await statusAfter(confined({ user: first, groups: [7] }))).get('Groups')).toBe('7')
  },
)

test('a command that must not outlive its process says so', () => {
  expect(confined({ user: undefined, endsWithThisProcess: true })).toContain('--pdeathsig=KILL')
  expect(confined({ user: undefined })).not.toContain('--pdeathsig=KILL')
})
