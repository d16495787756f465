import { expect, test } from 'vitest'
import { objectLink } from './ObjectName.tsx'

const walker = { kind: 'instance', id: 'i', name: 'walker', projectName: 'web', siloName: 'demo' } as const

test("an instance of the user's own silo has a page", () => {
  expect(objectLink(walker, 'demo')).toEqual({
    to: '/projects/$project/instances/$instance/storage',
    params: { project: 'web', instance: 'walker' },
  })
})

test('an instance of another silo, or a job, has none', () => {
  expect(objectLink(walker, 'forge')).toBeUndefined()
  expect(objectLink({ ...walker, kind: 'job' }, 'demo')).toBeUndefined()
})
