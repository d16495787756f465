import { expect, test } from 'vitest'
import { objectAt } from './recent-objects.ts'

test.each([
  ['/projects/atlas/instances/web-1/storage', 'instance web-1 in atlas'],
  ['/projects/atlas/instances', 'project atlas in -'],
  ['/projects/atlas/floating-ips/buoy/edit', 'floating-ip buoy in atlas'],
  ['/images/debian%2D13/edit', 'image debian-13 in -'],
  ['/system/silos/forge/quotas', 'silo forge in -'],
  ['/projects', undefined],
  ['/system/issues', undefined],
])('%s is the page of %s', (path, object) => {
  const found = objectAt(path)
  expect(found && `${found.kind} ${found.name} in ${found.project ?? '-'}`).toBe(object)
})
