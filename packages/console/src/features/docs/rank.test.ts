import { expect, test } from 'vitest'
import type { DocEntry } from './document.ts'
import { rank } from './rank.ts'

const entry = (slug: string, heading: string, text = '', id = ''): DocEntry => ({ slug, id, heading, text })
const entries = [
  entry('api-storage', 'Create a snapshot', 'POST /v1/snapshots'),
  entry('schedules', 'Schedules', 'A schedule takes snapshots of disks, or stops instances.'),
  entry('storage', 'Snapshots', 'A snapshot keeps what a disk had.', 'snapshots'),
  entry('api-storage', 'Create a disk', 'Name disk_create', 'disk_create'),
  entry('network', 'VPCs', 'The network of a project.'),
]
const found = (typed: string, most = 10) => rank(typed, entries, most).map(({ entry: { slug } }) => slug)

test.each([
  ['snap', ['storage', 'api-storage', 'schedules']],
  ['snapshots disks', ['schedules']],
  ['napshot', []],
  ['', []],
  ['  ', []],
  ['vpc', ['network']],
  ['How do I take the snapshots of disks?', ['schedules']],
  ['what is a vpc', ['network']],
  ['disk_create', ['api-storage']],
])('%j finds %j', (typed, slugs) => expect(found(typed)).toEqual(slugs))

test('at most so many are found', () => expect(found('s', 2)).toHaveLength(2))

test('the extract is cut around the first match', () => {
  const text = `${'word '.repeat(60)}needle ${'word '.repeat(60)}`
  const [hit] = rank('needle', [entry('page', 'Page', text)], 1)
  expect(hit?.extract).toMatch(/^… .*needle.* …$/)
  expect(hit?.extract.length).toBeLessThan(180)
})
