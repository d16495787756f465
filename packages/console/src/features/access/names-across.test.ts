import { expect, test } from 'vitest'
import { namesAcross } from './names-across.ts'

const demo = { id: 'd', name: 'demo' }
const forge = { id: 'f', name: 'forge' }

test('people of other silos carry the name of their silo, and those who are gone have no name', () => {
  const names = namesAcross(
    [
      { identityId: '1', displayName: 'ada', silo: demo },
      { identityId: '2', displayName: 'ada', silo: forge },
      { identityId: '3', displayName: null, silo: null },
    ],
    'demo',
  )
  expect([...names]).toEqual([
    ['1', 'ada'],
    ['2', 'ada (silo forge)'],
  ])
})
