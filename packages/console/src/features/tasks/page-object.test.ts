import { expect, test } from 'vitest'
import { isShown, pageObject, tasksScopeOf } from './page-object.ts'
import { exampleTask } from './testing/example-task.ts'

const place = { id: 'id', name: 'shop' }
const restore = {
  kind: 'instance-restore',
  count: 1,
  object: { kind: 'instance', id: 'i', name: 'web' },
} as const

test.each([
  ['/projects/shop/schedules/nightly', 'schedule nightly', { project: 'shop' }],
  ['/projects/shop/instances/web/storage', 'instance web', { project: 'shop' }],
  ['/projects/shop/instance-snapshots/before', 'instance-snapshot before', { project: 'shop' }],
  ['/projects/shop/activity', 'project shop', { project: 'shop' }],
  ['/system/inventory/sleds/5c56/instances', 'sled 5c56', 'system'],
  ['/system/silos/forge/idps', 'silo forge', 'system'],
  ['/images/alpine', 'image alpine', undefined],
])('%s is the page of %s', (path, what, scope) => {
  const found = pageObject(path)
  expect(found && `${found.kind} ${found.name}`).toBe(what)
  expect(found && tasksScopeOf(found)?.place).toEqual(scope)
})

test('lists are the page of their project, and other pages of no object', () => {
  expect(pageObject('/projects/shop/schedules')).toMatchObject({ kind: 'project', name: 'shop' })
  expect(pageObject('/projects')).toBeUndefined()
})

test('a page shows what was found for its object, unless its state tells of it, and of the fleet only its own', () => {
  const web = { kind: 'instance', name: 'web', project: 'shop' } as const
  const task = exampleTask({ ...restore, project: place })
  expect(isShown(web)(task)).toBe(true)
  expect(isShown(web)({ ...task, kind: 'instance' })).toBe(false)
  // One of many, and part of something else.
  expect(isShown(web)({ ...task, kind: 'instance-action', count: 300 })).toBe(true)
  expect(
    isShown(web)({ ...task, kind: 'schedule-run', object: { kind: 'schedule', id: 's', name: 'web' } }),
  ).toBe(true)
  const sled = { kind: 'sled', name: '5c56', project: null } as const
  const removal = { ...task, kind: 'sled', object: { kind: 'sled', id: '5c56', name: 'BRM1' } }
  expect(isShown(sled)(removal)).toBe(true)
  expect(isShown(sled)({ ...removal, object: { ...removal.object, id: 'other' } })).toBe(false)
})
