import { expect, test } from 'vitest'
import { askedOf, parseOperation } from './arguments.ts'
import { exitCodes } from './failure.ts'
import { commands } from './operations.ts'

function asked(id: string, args: readonly string[], file = '{}') {
  const command = commands.find((one) => one.id === id)
  if (!command) throw new Error(id)
  return askedOf(command, parseOperation(command, args), () => Buffer.from(file))
}
const inputOf = (...given: Parameters<typeof asked>) => asked(...given).input

test.each([
  ['disk_view', ['data', '--project', 'p'], { path: { disk: 'data' }, query: { project: 'p' } }],
  ['disk_view', ['--disk', 'data'], { path: { disk: 'data' }, query: {} }],
  [
    'disk_create',
    ['--size', '1.5GiB', '--disk-backend', '{"type":"local"}'],
    { path: {}, query: {}, body: { size: 1.5 * 1024 ** 3, disk_backend: { type: 'local' } } },
  ],
  [
    'instance_create',
    ['--ncpus', '2', '--start', 'false', '--boot-disk', 'null'],
    { path: {}, query: {}, body: { ncpus: 2, start: false, boot_disk: null } },
  ],
  [
    'instance_create',
    ['--ssh-public-keys', 'a', '--ssh-public-keys', 'b'],
    { path: {}, query: {}, body: { ssh_public_keys: ['a', 'b'] } },
  ],
  [
    'instance_create',
    ['--ssh-public-keys', '["a"]'],
    { path: {}, query: {}, body: { ssh_public_keys: ['a'] } },
  ],
  [
    'instance_sorted_list',
    ['--state', 'running', '--state', 'stopped', '--limit', '3'],
    { path: {}, query: { state: ['running', 'stopped'] } },
  ],
  ['image_create', ['--version', '12'], { path: {}, query: {}, body: { version: '12' } }],
])('%s %j', (id, args, expected) => expect(inputOf(id, args)).toEqual(expected))

test('options replace fields of a body that comes from a file', () => {
  expect(
    inputOf('project_create', ['--body', '-', '--name', 'b'], '{"name":"a","description":"d"}').body,
  ).toEqual({ name: 'b', description: 'd' })
  expect(inputOf('network_impact_view', ['--body', 'f'], '{"type":"x"}').body).toEqual({ type: 'x' })
  expect(asked('image_upload_write', ['id', '--offset', '0', '--body', 'f'], 'bytes').bytes?.toString()).toBe(
    'bytes',
  )
})

test('limits and tags', () => {
  expect(asked('project_list', []).limit).toBe(100)
  expect(asked('project_list', ['--all']).limit).toBeUndefined()
  expect(asked('disk_create', ['--tag', 'env=a=b', '--tag', 'x=']).tags).toEqual([
    { key: 'env', value: 'a=b' },
    { key: 'x', value: '' },
  ])
})

test.each([
  ['disk_view', [], 'Say which disk: gantry disk view DISK.'],
  ['disk_view', [''], 'disk must not be empty'],
  ['disk_view', ['a', 'b'], 'takes only DISK and options, and b is none'],
  ['disk_create', ['--size', '10GB'], '--size takes bytes such as 10GiB'],
  ['disk_create', ['--size', '0.3B'], '--size takes bytes'],
  ['disk_create', ['--nmae', 'x'], "Unknown option '--nmae'"],
  ['disk_create', ['--name'], "'--name"],
  ['instance_create', ['--ncpus', 'two'], '--ncpus takes a number'],
  ['instance_create', ['--start', 'yes'], '--start takes true or false'],
  ['disk_create', ['--tag', 'env'], '--tag takes a key and a value'],
  ['disk_delete', ['a', '--tag', 'a=b'], 'has no --tag'],
  ['disk_create', ['--plan'], 'has no --plan'],
  ['disk_create', ['--all'], 'has no --all'],
  ['disk_view', ['a', '--body', 'f'], 'takes no --body'],
  ['image_upload_write', ['a', '--offset', '0'], 'Say which bytes to send'],
  ['project_list', ['--limit', '0'], '--limit takes a number of rows'],
])('%s %j is refused in a sentence', (id, args, words) => {
  expect(() => asked(id, args)).toThrow(
    expect.objectContaining({ message: expect.stringContaining(words), code: exitCodes.usage }),
  )
})

test('a body that is no JSON is refused', () => {
  expect(() => asked('project_create', ['--body', 'f'], '{')).toThrow('--body f is not valid JSON')
  expect(() => asked('project_create', ['--body', 'f', '--name', 'a'], '[]')).toThrow(
    'need a --body that is an object',
  )
})
