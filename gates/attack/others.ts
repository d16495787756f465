import { expect } from 'vitest'
import { Pings } from '../fuzz/pings.ts'
import type { Stage } from './stage.ts'

/** Memory that an attack may add to the process, in MiB, including uncollected garbage. */
const roomMiB = 400
/** Pending requests of another user, who sends one every 50 ms. */
const waitingLimit = 80

/** Another user, and their request: by default a page that needs the database and a session. */
type Others = Pick<Stage, 'gantry'> &
  (Pick<Stage, 'admin'> | { asked: ConstructorParameters<typeof Pings>[1] })

/** Checks that others are answered during an attack, and that memory stays bounded. */
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
    const { maxWaiting, faults } = pings
    const seen = { answered, maxWaiting, before, peak }
    console.log(`  ${expect.getState().currentTestName?.split(' > ').at(-1)}:`, JSON.stringify(seen))
    expect(faults).toEqual([])
    expect(answered).toBeGreaterThan(0)
    expect(maxWaiting).toBeLessThan(waitingLimit)
    expect(peak - before).toBeLessThan(roomMiB)
  } finally {
    pings.stop()
    clearInterval(looking)
  }
}
