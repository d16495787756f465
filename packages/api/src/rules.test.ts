import { describe, expect, test } from 'vitest'
import { ceilingOf, exactBytes, GiB, KiB, shownBytes, shownMemory } from './base/bytes.rules.ts'
import { diskAllows, diskSizeProblem } from './storage/disk.rules.ts'
import { errorWords } from './base/errors.rules.ts'
import { hardwareProblem, hostnameProblem } from './compute/instance.rules.ts'
import { generateName, nameProblem } from './base/name.rules.ts'
import { subnetProblem } from './network/network-interface.rules.ts'
import { missingRoleSentence } from './base/permission.rules.ts'
import { whyNot } from './base/state.rules.ts'
import { firewallPriorityProblem, whyNoMoreIn, whyNoMoreRules } from './network/vpc-firewall.rules.ts'

test.each([
  ['abc9-d0ef-6', undefined],
  ['', 'name requires at least one character'],
  ['a'.repeat(64), 'name may contain at most 63 characters'],
  ['9bc', 'name must begin with an ASCII lowercase character'],
  ['aBc', 'name contains invalid character: "B" (allowed characters are lowercase ASCII, digits, and "-")'],
  ['abc-', 'name cannot end with "-"'],
  ['a'.repeat(32), 'name cannot be a UUID to avoid ambiguity with IDs'],
])('the name %j: %s', (name, problem) => expect(nameProblem(name)).toBe(problem))

test.each([[['x'.repeat(80)]], [['a'.repeat(60), 'b'.repeat(60)]], [['a', 'b', 'c'.repeat(70)]]])(
  'a name made of %j fits and is valid',
  (parts) => {
    const name = generateName((digits) => '0'.repeat(digits), ...parts)
    expect(name.length).toBeLessThanOrEqual(63)
    expect(nameProblem(name)).toBeUndefined()
  },
)

describe('error messages, in the order of the catalogue', () => {
  test.each([
    ['project_list', 'Forbidden', 'Forbidden', 'Action not authorized'],
    ['disk_view', 'ObjectNotFound', 'not found: disk', 'Not found: disk'],
    ['instance_create', 'ObjectAlreadyExists', 'already exists: disk "a"', 'Disk name already exists'],
    ['current_user_ssh_key_create', 'ObjectAlreadyExists', 'taken', 'SSH key name already exists'],
    ['ssh_key_create', 'ObjectAlreadyExists', 'already exists: ssh-key "a"', 'SSH key name already exists'],
    ['ip_pool_create', 'ObjectAlreadyExists', 'already exists: ip-pool "a"', 'IP pool name already exists'],
    ['floating_ip_create', 'ObjectAlreadyExists', 'taken', 'Floating IP name already exists'],
    [
      'vpc_subnet_create',
      'ObjectAlreadyExists',
      'already exists: vpc-subnet "a"',
      'VPC subnet name already exists',
    ],
    ['vpc_router_routes_create', 'ObjectAlreadyExists', 'taken', 'Route name already exists'],
    ['disk_create', undefined, 'unable to parse JSON body: size: bad at line 1 column 2', 'Size: bad'],
    ['disk_create', undefined, undefined, 'Unknown server error'],
  ])('%s %s %s', (operation, code, message, words) =>
    expect(errorWords(operation, code, message)).toBe(words),
  )
})

test.each([
  [GiB, 512, undefined],
  [GiB + 1, 512, 'total size must be a multiple of block size 512'],
  [512, 512, 'total size must be at least 1 GiB'],
  [GiB + 512, 512, 'total size must be a multiple of 1 GiB'],
  [1023 * GiB, 512, undefined],
  [1024 * GiB, 512, 'total size must be less than 1023 GiB'],
])('a disk of %i bytes in blocks of %i: %s', (size, block, reason) =>
  expect(diskSizeProblem(size, block)?.reason).toBe(reason),
)

test.each([
  [64, GiB, undefined],
  [65, GiB, 'cannot have more than 64 vCPUs per instance'],
  [1, GiB - 1, 'memory must be at least 1 GiB'],
  [1, GiB + 1, 'memory must be divisible by 1 GiB'],
  [1, 1537 * GiB, 'memory must be less than or equal to 1536 GiB'],
])('%i vCPUs and %i bytes: %s', (cpus, memory, reason) =>
  expect(hardwareProblem(cpus, memory)?.reason).toBe(reason),
)

test('host names, sizes, ceilings and reasons', () => {
  expect([hostnameProblem('a.b-c'), hostnameProblem('-a')]).toEqual([
    undefined,
    'Hostnames must comply with RFC 1035',
  ])
  expect([512, 1536 * GiB, 2048 * GiB].map(exactBytes)).toEqual(['512 B', '1536 GiB', '2 TiB'])
  expect([0, 1, 10, 11, 1021].map(ceilingOf)).toEqual([0, 10, 10, 20, 1023])
  expect(whyNot(diskAllows, 'delete', 'attached')).toBe('Only available when detached or faulted')
  expect(whyNot(diskAllows, 'delete', 'detached')).toBeUndefined()
})

test('amounts read in the largest unit that fits, and memory in GiB at most', () => {
  const amounts = [0, 512, 1023.999 * KiB, 1536 * GiB, 2048 * GiB]
  expect(amounts.map(shownBytes)).toEqual(['0 B', '512 B', '1 MiB', '1.5 TiB', '2 TiB'])
  expect(amounts.map(shownMemory)).toEqual(['0 B', '512 B', '1 MiB', '1536 GiB', '2048 GiB'])
})

test.each([
  [[], {}],
  [[{ vpc: 'default', subnet: 'other' }], {}],
  [[{ vpc: 'default', subnet: 'default' }], { subnet: 'Each interface must be in a distinct VPC Subnet' }],
  [[{ vpc: 'other', subnet: 'default' }], { vpc: 'All interfaces must be in the same VPC' }],
])('an additional interface beside %j: %j', (others, problem) =>
  expect(subnetProblem({ vpc: 'default', subnet: 'default' }, others)).toEqual(problem),
)

test.each([
  [null, 'Priority is required'],
  [-1, 'Priority must be between 0 and 65535'],
  [0, undefined],
  [65_535, undefined],
  [65_536, 'Priority must be between 0 and 65535'],
  [1.5, 'Priority must be between 0 and 65535'],
])('a firewall rule with the priority %s: %s', (priority, problem) =>
  expect(firewallPriorityProblem(priority)).toBe(problem),
)

test('firewall lists have maximum lengths', () => {
  const list = (length: number) => Array<string>(length).fill('x')
  expect([whyNoMoreRules(list(1023)), whyNoMoreRules(list(1024))]).toEqual([
    undefined,
    'A VPC has at most 1024 firewall rules',
  ])
  expect([whyNoMoreIn(list(255), 'targets', 'targets'), whyNoMoreIn(list(256), 'filters', 'ports')]).toEqual([
    undefined,
    'A rule has at most 256 ports',
  ])
})
const onProject = { on: 'project', name: 'web' } as const
const onSilo = { on: 'silo', name: 'demo' } as const
const onFleet = { on: 'fleet', name: null } as const

test.each([
  [[{ role_name: 'viewer', ...onFleet }], 'viewer on the fleet'],
  [
    [
      { role_name: 'collaborator', ...onProject },
      { role_name: 'collaborator', ...onSilo },
    ],
    'collaborator on project web or silo demo',
  ],
  [
    [
      { role_name: 'admin', ...onProject },
      { role_name: 'collaborator', ...onSilo },
    ],
    'admin on project web or collaborator on silo demo',
  ],
  [
    [
      { role_name: 'limited_collaborator', ...onProject },
      { role_name: 'limited_collaborator', ...onSilo },
    ],
    'limited collaborator on project web or silo demo',
  ],
] as const)('%j is missing: %s', (missing, roles) =>
  expect(missingRoleSentence(missing)).toBe(`You need the role ${roles}`),
)
