import { DatabaseUnreachable } from '@gantry/control-plane/db/unreachable'
import { expect, test } from 'vitest'
import { turns } from './turns.ts'

test('a caller that waits too long gets an unreachable error, and blocks nobody', async () => {
  const { acquire, release } = turns(20)
  await acquire()
  await expect(acquire()).rejects.toBeInstanceOf(DatabaseUnreachable)
  const next = acquire()
  release()
  await next
})
