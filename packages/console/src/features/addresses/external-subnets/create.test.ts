import { expect, test } from 'vitest'
import { emptyExternalSubnet, externalSubnetBody, fieldOf, subnetFieldProblem } from './create.ts'

const named = { ...emptyExternalSubnet, name: 'edge' }

test('asks for a size, of a pool if one is chosen, or for one block', () => {
  expect(externalSubnetBody(named)).toEqual({
    name: 'edge',
    description: '',
    allocator: { type: 'auto', prefixLength: 28 },
  })
  expect(externalSubnetBody({ ...named, pool: 'routed', subnet: '10.0.0.0/28' }).allocator).toEqual({
    type: 'auto',
    prefixLength: 28,
    poolSelector: { type: 'explicit', pool: 'routed' },
  })
  expect(
    externalSubnetBody({ ...named, by: 'block', pool: 'routed', subnet: ' 10.0.0.0/28 ' }).allocator,
  ).toEqual({
    type: 'explicit',
    subnet: '10.0.0.0/28',
  })
})

test.each([
  ['198.51.100.0/28', undefined],
  [' 2001:db8::/64 ', undefined],
  ['198.51.100.9/28', '198.51.100.9/28 has host bits set; the network is 198.51.100.0/28'],
  ['198.51.100.0', 'Not a valid network, such as 198.51.100.0/24'],
])('the problem of %s: %s', (subnet, problem) => expect(subnetFieldProblem(subnet)).toBe(problem))

test.each([
  ['ObjectAlreadyExists', 'External subnet name already exists', 'size', 'name'],
  ['ObjectNotFound', 'Not found: subnet-pool with name "other"', 'size', 'pool'],
  ['ObjectNotFound', 'Not found: project with name "gone"', 'size', undefined],
  ['InvalidRequest', 'The silo has no default subnet pool', 'size', 'pool'],
  ['InvalidRequest', 'The silo has a default subnet pool of each IP version', 'size', 'pool'],
  [
    'InvalidRequest',
    'No subnet with prefix length 24 is available in the default subnet pool external',
    'size',
    'prefixLength',
  ],
  [
    'InvalidRequest',
    'The requested subnet 10.0.0.0/28 overlaps with an existing external subnet',
    'block',
    'subnet',
  ],
  ['Forbidden', 'Action not authorized', 'size', undefined],
] as const)('%s (%s) is shown at %s', (errorCode, message, by, field) =>
  expect(fieldOf({ errorCode, message }, { by })).toBe(field),
)
