import { emptyInterface } from '#/features/addresses/interface-values.ts'
import { namesOf, numberIn, patternOf, patternProblem } from '@gantry/api/compute/instance-batch.rules'
import { expect, test } from 'vitest'
import {
  batchBody,
  firstProblem,
  hostnameOfManyProblem,
  nameOrPatternProblem,
  whyNotMany,
} from './batch-body.ts'
import { countOf, initialValues, type InstanceValues } from './values.ts'

const offered = { siloImages: [{ size: 1 }], projectImages: [], sshKeys: [], pools: null }
const values = (more: Partial<InstanceValues> = {}): InstanceValues => ({
  ...initialValues(offered),
  name: 'web',
  siloImage: 'image-id',
  count: 3,
  ...more,
})

test.each([
  ['web', 'web-{n}'],
  ['web-{n}-a', 'web-{n}-a'],
  ['web.example.com', 'web-{n}.example.com'],
])('%s stands for the pattern %s', (text, pattern) => expect(patternOf(text)).toBe(pattern))

test('numbers go into names and are found there', () => {
  expect(namesOf('web-{n}', 9, 3)).toEqual(['web-9', 'web-10', 'web-11'])
  expect(numberIn('web-{n}', 'web-10')).toBe(10)
  expect(numberIn('a{n}b', 'a7b')).toBe(7)
  for (const name of ['web-', 'web-07', 'web-1x', 'db-1', 'web-1000000'])
    expect(numberIn('web-{n}', name)).toBeUndefined()
  // The text before and after the number must not overlap.
  expect(numberIn('aba{n}aba', 'aba')).toBeUndefined()
})

test('the longest name decides whether a pattern is good', () => {
  const long = `${'a'.repeat(61)}{n}`
  expect(patternProblem(long, 99)).toBeUndefined()
  expect(patternProblem(long, 100)).toBe('name may contain at most 63 characters')
  expect(patternProblem('{n}-web', 1)).toMatch(/must begin with/)
  expect(patternProblem('a{n}{n}', 1)).toMatch(/exactly once/)
})

test.each([
  ['web', 1, undefined],
  ['web-{n}', 1, 'Can only contain lower-case letters, numbers, and dashes'],
  ['web-{n}', 2, undefined],
  ['web', 2, undefined],
  ['', 2, 'Name is required'],
  ['Web', 2, 'Can only contain lower-case letters, numbers, and dashes'],
  ['a{n}{n}', 2, 'A pattern has {n} exactly once, where the number goes'],
])('the name %s of %d instances: %s', (name, count, problem) =>
  expect(nameOrPatternProblem(name, { count, first: 1 })).toBe(problem),
)

test('a host name is checked with its longest number', () => {
  expect(hostnameOfManyProblem('', { count: 2, first: 1 })).toBeUndefined()
  expect(hostnameOfManyProblem('web.example', { count: 2, first: 1 })).toBeUndefined()
  expect(hostnameOfManyProblem(`${'a'.repeat(60)}-{n}`, { count: 2, first: 98 })).toBeUndefined()
  expect(hostnameOfManyProblem(`${'a'.repeat(60)}-{n}`, { count: 3, first: 98 })).toMatch(/RFC 1035/)
})

test('an empty or impossible count is one instance', () => {
  expect([null, 0, 1.5, 51, 50, 2].map((count) => countOf({ count }))).toEqual([1, 1, 1, 1, 50, 2])
  expect(firstProblem(999_999, 2)).toMatch(/at most 999,999/)
  expect(firstProblem(999_999, 1)).toBeUndefined()
})

test('what several cannot share is named', () => {
  expect(whyNotMany(values())).toEqual([])
  const all = whyNotMany(
    values({
      bootSource: 'disk',
      disks: [
        { type: 'copy', of: { id: 'd', name: 'd', size: 1 }, body: { name: 'd', description: '', size: 1 } },
      ],
      floatingIps: ['fip'],
      networkType: 'custom',
      interfaces: [{ ...emptyInterface, name: 'n', vpc: 'v', subnet: 's', ip: '10.0.0.1' }],
    }),
  )
  expect(all.map((each) => each.split(':')[0])).toEqual([
    'An existing disk can be attached to one instance only',
    'The data of disks can be copied to one instance only',
    'A floating IP can be attached to one instance only',
    'A private address can belong to one instance only',
  ])
  // Floating IPs of an instance without an interface are not sent.
  expect(whyNotMany(values({ networkType: 'none', floatingIps: ['fip'] }))).toEqual([])
})

test('the request has patterns in place of names', () => {
  const context = {
    images: [],
    userData: undefined,
    randomHex: () => 'abcdef',
    snapshotOf: new Map<string, string>(),
    hasExternalAddresses: true,
  }
  const body = batchBody(values({ hostname: 'web.example', first: 4 }), context)
  expect(body).toMatchObject({
    namePattern: 'web-{n}',
    hostnamePattern: 'web-{n}.example',
    first: 4,
    count: 3,
    instance: { bootDisk: { type: 'create', name: 'boot', description: 'Created as a boot disk' } },
  })
  expect(body.instance).not.toHaveProperty('name')
  expect(body.instance).not.toHaveProperty('hostname')
  expect(batchBody(values(), context)).not.toHaveProperty('hostnamePattern')
})
