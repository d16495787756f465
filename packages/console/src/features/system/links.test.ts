import { expect, test } from 'vitest'
import { placeLink } from './links.ts'

const walker = { kind: 'instance', id: 'i', name: 'walker', projectName: 'web', siloName: 'demo' } as const

test("an instance of the user's own silo has a page", () => {
  expect(placeLink(walker, 'demo')).toEqual({
    to: '/projects/$project/instances/$instance/storage',
    params: { project: 'web', instance: 'walker' },
  })
})

test('an instance of another silo, or a job, has none', () => {
  expect(placeLink(walker, 'forge')).toBeUndefined()
  expect(placeLink({ ...walker, kind: 'job' }, 'demo')).toBeUndefined()
})
