import { describe, expect, test } from 'vitest'
import whole from '../../openapi.ext.json' with { type: 'json' }
import { changes } from './changes.gen.ts'
import { Untranslatable } from './dated.ts'
import { Translator } from './translate.ts'
import { baseVersion, versions } from './version.rules.ts'

const translator = new Translator(whole.components.schemas)
const pageOf = (name: string) => ({ $ref: `#/components/schemas/${name}ResultsPage` })
/** What a version answers for these items of the newest. */
const shown = (name: string, version: number, ...items: object[]) => {
  const page = { items, next_page: null }
  return (translator.down(pageOf(name), version)?.(page) ?? page) as typeof page
}

test('each change has a version of its own, and one that exists', () => {
  const numbers = changes.map(({ version }) => version)
  expect(new Set(numbers).size).toBe(numbers.length)
  expect(numbers.filter((number) => !versions.includes(number))).toEqual([])
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
})

test('what did not change is not touched', () => {
  expect(translator.down(pageOf('Project'), 20250730)).toBeUndefined()
  expect(translator.down(pageOf('User'), 2026030200)).toBeUndefined()
})

test('the changes of several versions add up', () => {
  const disk = { name: 'data', disk_type: 'distributed', read_only: false }
  expect(shown('Disk', 2026013001, disk).items).toEqual([disk])
  expect(shown('Disk', 2026013000, disk).items).toEqual([{ name: 'data', disk_type: 'distributed' }])
  expect(shown('Disk', 2025112000, disk).items).toEqual([{ name: 'data', disk_type: 'crucible' }])
  expect(shown('Disk', 20250730, disk).items).toEqual([{ name: 'data' }])
})

describe('an interface before it had a stack', () => {
  const v4 = { ip: '172.30.0.5', transit_ips: ['10.0.0.0/8'] }
  const v6 = { ip: 'fd00::5', transit_ips: [] }
  const at = (ip_stack: object) => shown('InstanceNetworkInterface', 2026010100, { id: 'i', ip_stack })

  test('has the address of the only version', () => {
    expect(at({ type: 'v4', value: v4 }).items).toEqual([{ id: 'i', ...v4 }])
    expect(at({ type: 'v6', value: v6 }).items).toEqual([{ id: 'i', ...v6 }])
  })

  test('of both versions has the address of IPv4, and the networks of both', () => {
    const value = { v4, v6: { ...v6, transit_ips: ['fd01::/64'] } }
    expect(at({ type: 'dual_stack', value }).items).toEqual([
      { id: 'i', ip: v4.ip, transit_ips: ['10.0.0.0/8', 'fd01::/64'] },
    ])
  })
})

test.each([
  ['Disk', 2025112000, { disk_type: 'local' }],
  ['Instance', 2026060500, { cpu_platform: 'amd_turin_v2' }],
])('a %s that version %s has no words for is refused', (name, version, item) => {
  expect(() => shown(name, version, item)).toThrow(Untranslatable)
  expect(() => shown(name, version, item)).toThrow(expect.objectContaining({ status: 406 }))
})

test('a version that lacks the field that has no words is shown the rest', () => {
  expect(shown('Disk', baseVersion, { id: 'd', disk_type: 'local' }).items).toEqual([{ id: 'd' }])
})

test('null stays null, and what the description does not tell of stays', () => {
  const instance = { cpu_platform: null, enable_jumbo_frames: false, more: { disk_type: 'local' } }
  expect(shown('Instance', 2026052000, instance).items).toEqual([
    { cpu_platform: null, more: { disk_type: 'local' } },
  ])
})
