import { expect, test } from 'vitest'
import { isAbout, pageObject, tasksScopeOf } from './page-object.ts'
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

test('a task is about the object of the same kind, name and project', () => {
  const web = { kind: 'instance', name: 'web', project: 'shop' }
  const task = exampleTask({ ...restore, project: place })
  expect(isAbout(web)(task)).toBe(true)
  expect(isAbout({ ...web, project: 'other' })(task)).toBe(false)
  expect(isAbout({ ...web, kind: 'disk' })(task)).toBe(false)
  expect(isAbout({ ...web, name: 'i' })(task)).toBe(true)
  // Of several, none has a page of its own; what the state tells of shows there anyway.
  expect(isAbout(web)({ ...task, count: 3 })).toBe(false)
  expect(isAbout(web)({ ...task, kind: 'instance' })).toBe(false)
})
