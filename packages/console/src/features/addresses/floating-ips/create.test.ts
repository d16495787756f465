import { ipNotAvailable } from '@gantry/api/network/floating-ip.rules'
import { expect, test } from 'vitest'
import { emptyFloatingIp, fieldOf, floatingIpBody, ipFieldProblem } from './create.ts'

const named = { ...emptyFloatingIp, name: 'door' }

test('omits blank fields and trims an address', () => {
  expect(floatingIpBody({ ...named, ip: '  ' })).toEqual({
    name: 'door',
    description: '',
    addressAllocator: { type: 'auto', poolSelector: { type: 'auto', ipVersion: 'v4' } },
  })
  expect(floatingIpBody({ ...named, pool: 'external', ip: ' 198.51.100.9 ' })).toEqual({
    name: 'door',
    description: '',
    addressAllocator: { type: 'explicit', ip: '198.51.100.9', pool: 'external' },
  })
})

test.each([
  ['198.51.100.9', undefined],
  [' fd00::9 ', undefined],
  ['198.51.100.09', 'Not a valid IP address'],
  ['198.51.100.0/24', 'Not a valid IP address'],
  ['fd00::9::1', 'Not a valid IP address'],
])('the problem of %s: %s', (ip, problem) => expect(ipFieldProblem(ip)).toBe(problem))

test.each([
  ['ObjectAlreadyExists', 'Floating IP name already exists', 'name'],
  ['InvalidRequest', ipNotAvailable, 'ip'],
  ['InsufficientCapacity', 'Insufficient capacity: No external IP addresses available', 'pool'],
  ['ObjectNotFound', 'Not found: ip-pool with name "other"', 'pool'],
  ['ObjectNotFound', 'Not found: default IP pool for current silo', 'pool'],
  ['ObjectNotFound', 'Not found: project with name "gone"', undefined],
  ['Forbidden', 'Action not authorized', undefined],
])('%s (%s) is shown at %s', (errorCode, message, field) =>
  expect(fieldOf({ errorCode, message })).toBe(field),
)
