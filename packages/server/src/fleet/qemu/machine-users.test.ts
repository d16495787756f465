import { expect, test } from 'vitest'
import { confined, copyingUser, freeUser, isMapped, machineUsers, USERS } from './machine-users.ts'

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
