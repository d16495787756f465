import { expect, test } from 'vitest'
import { changedLink } from './links.ts'

const silo = { id: 's', name: 'demo' }
const walker = {
  kind: 'instance',
  op: 'update',
  objectId: 'i',
  name: 'walker',
  project: { id: 'p', name: 'web' },
  silo,
  isVisible: true,
} as const

test('a changed object leads to its page', () => {
  expect(changedLink(walker, 'demo', 'fleet')).toMatchObject({
    params: { project: 'web', instance: 'walker' },
  })
  expect(changedLink({ ...walker, kind: 'disk' }, 'demo', 'fleet')).toEqual({
    to: '/projects/$project/disks/$disk',
    params: { project: 'web', disk: 'walker' },
  })
  expect(
    changedLink({ ...walker, kind: 'ip-pool', project: null, silo: null }, 'demo', 'fleet'),
  ).toMatchObject({
    params: { pool: 'walker' },
  })
})

test('objects that are deleted, hidden or in another silo have no link', () => {
  expect(changedLink({ ...walker, op: 'delete' }, 'demo', 'fleet')).toBeUndefined()
  expect(changedLink({ ...walker, isVisible: false }, 'demo', 'fleet')).toBeUndefined()
  expect(changedLink({ ...walker, kind: 'silo' }, 'demo', 'silo')).toBeUndefined()
  expect(changedLink(walker, 'forge', 'fleet')).toBeUndefined()
})
