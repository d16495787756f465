import { expect } from 'vitest'
import { Pings } from '../fuzz/pings.ts'
import type { Stage } from './stage.ts'

/** What an attack may add to the memory of the process, in MiB, garbage that is not yet collected included. */
const roomMiB = 400
/** Requests of somebody else, one each 50 ms, that may wait for their answers at one time. */
const waitingMost = 80

/** Somebody else, and what they ask for: by itself a page that needs the database and a session. */
type Others = Pick<Stage, 'gantry'> &
  (Pick<Stage, 'admin'> | { asked: ConstructorParameters<typeof Pings>[1] })

/** Others are answered while an attack goes on, and the memory does not run away. */
export async function othersAreAnswered(others: Others, attack: () => Promise<unknown>): Promise<void> {
  const { gantry } = others
  const asked =
    'asked' in others ? others.asked : { path: '/v1/projects?limit=10', headers: others.admin.headers }
  const before = gantry.residentMiB()
  let peak = before
  const pings = new Pings(Number(new URL(gantry.url).port), asked)
  const looking = setInterval(() => (peak = Math.max(peak, gantry.residentMiB())), 50)
  try {
    await attack()
    const answered = await pings.settle()
    const { mostWaiting, faults } = pings
    const seen = { answered, mostWaiting, before, peak }
    console.log(`  ${expect.getState().currentTestName?.split(' > ').at(-1)}:`, JSON.stringify(seen))
    expect(faults).toEqual([])
    expect(answered).toBeGreaterThan(0)
    expect(mostWaiting).toBeLessThan(waitingMost)
    expect(peak - before).toBeLessThan(roomMiB)
  } finally {
    pings.stop()
    clearInterval(looking)
  }
}
