import { expect, test } from 'vitest'
import { namesAcross } from './names-across.ts'

const demo = { id: 'd', name: 'demo' }
const forge = { id: 'f', name: 'forge' }

test("users of other silos carry their silo's name, and deleted ones have no name", () => {
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
