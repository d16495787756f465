import { describe, expect, test } from 'vitest'
import { type Candidate, noPreferences, place, type Preferences } from './placement.ts'

const GiB = 1024 ** 3
const sled = (id: string, more: Partial<Candidate> = {}): Candidate => ({
  id,
  serial: `GS-${id}`,
  is_provisionable: true,
  is_lost: false,
  cpu_family: 'amd_milan',
  free_vcpus: 8,
  free_memory: 8 * GiB,
  free_storage: [],
  ...more,
})
const wanted = { ncpus: 4, memory: 4 * GiB, cpu_platform: null }
const wish = (more: Partial<Record<keyof Preferences, string[]>>): Preferences => ({
  banned: new Set(more.banned),
  unpreferred: new Set(more.unpreferred),
  required: new Set(more.required),
  preferred: new Set(more.preferred),
})
const chosen = (sleds: Candidate[], wishes: Preferences = noPreferences): string => {
  const result = place(sleds, wanted, wishes)
  return 'sled' in result ? result.sled.id : `${result.refusal.status} ${result.refusal.message}`
}

const nowhere =
  '507 Insufficient capacity: Failed to place instance: Could not find any valid sled on which this instance can be placed'
const affine = 'Failed to place instance: This instance belongs to an affinity group that requires it'

describe('selects a sled', () => {
  const small = { free_memory: 5 * GiB }
  test.each<[string, Candidate[], Preferences, string]>([
    ['the emptiest by memory', [sled('a', small), sled('b')], noPreferences, 'b'],
    ['then by threads', [sled('a', { free_vcpus: 5 }), sled('b')], noPreferences, 'b'],
    ['then by id, whatever the order', [sled('b'), sled('a')], noPreferences, 'a'],
    ['that fits exactly', [sled('a', { free_vcpus: 4, free_memory: 4 * GiB })], noPreferences, 'a'],
    ['preferred before empty', [sled('a'), sled('b', small)], wish({ preferred: ['b'] }), 'b'],
    ['unpreferred last', [sled('a'), sled('b', small)], wish({ unpreferred: ['a'] }), 'b'],
    ['unpreferred when there is no other', [sled('a')], wish({ unpreferred: ['a'] }), 'a'],
    [
      'neutral before both wanted and not',
      [sled('a', small), sled('b')],
      wish({ preferred: ['a'], unpreferred: ['a'] }),
      'b',
    ],
    ['required, though others are emptier', [sled('a', small), sled('b')], wish({ required: ['a'] }), 'a'],
    ['never a banned one', [sled('a'), sled('b', small)], wish({ banned: ['a'] }), 'b'],
    ['no sled at all', [], noPreferences, nowhere],
    ['only a banned one', [sled('a')], wish({ banned: ['a'] }), nowhere],
    [
      'required but too small',
      [sled('a', { free_vcpus: 1 }), sled('b')],
      wish({ required: ['a'] }),
      `507 Insufficient capacity: ${affine} to be placed on a sled that cannot take it`,
    ],
    [
      'required and banned',
      [sled('a')],
      wish({ required: ['a'], banned: ['a'] }),
      `400 ${affine} to be placed on a sled that its anti-affinity group forbids`,
    ],
    [
      'two required',
      [sled('a'), sled('b')],
      wish({ required: ['a', 'b'] }),
      `400 ${affine} be placed on more than one sled`,
    ],
  ])('%s', (_, sleds, wishes, expected) => expect(chosen(sleds, wishes)).toBe(expected))
})

/** The reason given for each sled, in input order, if none was selected. */
const reasons = (sleds: Candidate[], wishes: Preferences): unknown => {
  const result = place(sleds, wanted, wishes)
  return 'refusal' in result && result.verdicts.map(({ sled, message }) => `${sled.serial} ${message}`)
}

test('a refused placement has a reason for each sled', () => {
  expect(
    reasons(
      [
        sled('1', { free_vcpus: 2, free_memory: 3 * GiB }),
        sled('2', { free_memory: 512 }),
        sled('3', { is_provisionable: false }),
        sled('4', { is_lost: true, is_provisionable: false }),
        sled('5'),
      ],
      wish({ banned: ['5'] }),
    ),
  ).toEqual([
    'GS-1 2 of 4 vCPUs free, 3 GiB of 4 GiB memory free',
    'GS-2 512 B of 4 GiB memory free',
    'GS-3 the sled takes no new instances',
    'GS-4 the sled is unreachable',
    'GS-5 holds another member of an anti-affinity group',
  ])
})

test('a placement refused because of a required sled says so for the others', () => {
  const required = 'an affinity group requires another sled'
  expect(reasons([sled('1', { free_memory: 0 }), sled('2')], wish({ required: ['1'] }))).toEqual([
    'GS-1 0 B of 4 GiB memory free',
    `GS-2 ${required}`,
  ])
  expect(reasons([sled('1'), sled('2')], wish({ required: ['1', '2'] }))).toEqual([
    `GS-1 ${required}`,
    `GS-2 ${required}`,
  ])
  expect(reasons([sled('1'), sled('2')], wish({ required: ['1'], banned: ['1'] }))).toEqual([
    'GS-1 holds another member of an anti-affinity group',
    `GS-2 ${required}`,
  ])
})

test('a refusal counts the sleds with each reason, and says neither which they are nor how full', () => {
  const result = place(
    [
      sled('1', { free_vcpus: 2 }),
      sled('2', { is_lost: true }),
      sled('3', { free_memory: 512 }),
      sled('4', { is_provisionable: false }),
    ],
    wanted,
    noPreferences,
  )
  expect('refusal' in result && result.refusal.extra.details).toEqual({
    sleds: [
      { count: 1, reason: 'not enough free memory' },
      { count: 1, reason: 'not enough free vCPUs' },
      { count: 1, reason: 'the sled takes no new instances' },
      { count: 1, reason: 'the sled is unreachable' },
    ],
  })
})

test('each sled is marked as fitting or not, even when one was selected', () => {
  const { verdicts } = place([sled('a'), sled('b', { free_memory: 0 }), sled('c')], wanted, noPreferences)
  expect(verdicts.map(({ sled, reason }) => [sled.id, reason])).toEqual([
    ['a', undefined],
    ['b', 'no_memory'],
    ['c', undefined],
  ])
})

test.each([
  [{ free_vcpus: 1 }, /^No sled has enough free vCPUs\. Try a smaller size/],
  [{ free_memory: 1 }, /^No sled has enough free memory\./],
  [{ is_lost: true }, /^Try a smaller size/],
])('the help of a refusal says what is short: %j', (lack, help) => {
  const result = place([sled('1', lack), sled('2', lack)], wanted, noPreferences)
  expect('refusal' in result && result.refusal.extra.help).toMatch(help)
})

test.each([
  [null, ['amd_milan', 'amd_turin', null]],
  ['amd_milan', ['amd_milan', 'amd_turin']],
  ['amd_turin', ['amd_turin']],
  ['amd_turin_v2', ['amd_turin']],
] as const)('the CPU platform %s runs on %j', (cpu_platform, expected) => {
  const families = ['amd_milan', 'amd_turin', null] as const
  const sleds = families.map((cpu_family) => sled(String(cpu_family), { cpu_family }))
  const { verdicts } = place(sleds, { ...wanted, cpu_platform }, noPreferences)
  const able = verdicts.filter(({ reason }) => reason === undefined)
  expect(able.map((one) => one.sled.cpu_family)).toEqual(expected)
})

test('a refusal says that no sled has the processors', () => {
  const result = place([sled('1'), sled('2')], { ...wanted, cpu_platform: 'amd_turin' }, noPreferences)
  expect('refusal' in result && result.refusal.extra).toMatchObject({
    help: 'No sled has processors of that CPU platform. Choose another one, or none.',
    details: { sleds: [{ count: 2, reason: 'its processors cannot run the CPU platform' }] },
  })
})

describe('local disks', () => {
  const TiB = 1024 * GiB
  const reasonFor = (local: { sleds?: string[]; sizes?: number[] }, ...free_storage: number[]) => {
    const needs = { sleds: new Set(local.sleds), sizes: local.sizes ?? [] }
    const result = place([sled('a', { free_storage })], { ...wanted, local: needs }, noPreferences)
    return 'refusal' in result ? result.verdicts[0]?.reason : 'fits'
  }

  test.each([
    ['on this sled already', { sleds: ['a'] }, [], 'fits'],
    ['on another sled', { sleds: ['b'] }, [4 * TiB], 'other_storage'],
    ['on two sleds', { sleds: ['a', 'b'] }, [4 * TiB], 'other_storage'],
    ['one that fits exactly', { sizes: [TiB] }, [TiB], 'fits'],
    ['two beside each other', { sizes: [TiB, TiB] }, [TiB, TiB], 'fits'],
    ['two on one', { sizes: [TiB, TiB] }, [2 * TiB], 'fits'],
    ['one that only two together hold', { sizes: [2 * TiB] }, [TiB, TiB], 'no_storage'],
    ['without physical disks', { sizes: [GiB] }, [], 'no_storage'],
  ])('%s', (_, needs, free, expected) => expect(reasonFor(needs, ...free)).toBe(expected))

  test('what keeps every sled from taking them is said', () => {
    const needs = { sleds: new Set<string>(), sizes: [TiB] }
    const result = place([sled('a')], { ...wanted, local: needs }, noPreferences)
    expect('refusal' in result && result.refusal.extra.help).toBe(
      'No sled has enough free space for its local disks. Use smaller local disks or distributed ones, or delete local disks that are not needed.',
    )
  })
})
