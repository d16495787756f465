import { DatabaseUnreachable } from '@gantry/control-plane/db/unreachable'
import { expect, test } from 'vitest'
import { turns } from './turns.ts'

test('whoever waits too long is told that the database is out of reach, and keeps nobody waiting', async () => {
  const { acquire, release } = turns(20)
  await acquire()
  await expect(acquire()).rejects.toBeInstanceOf(DatabaseUnreachable)
  const next = acquire()
  release()
  await next
})
