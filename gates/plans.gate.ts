import { expect, test } from 'vitest'
import { testControlPlane } from '../packages/control-plane/src/testing/control-plane.ts'
import { planAtRandom } from '../packages/control-plane/src/modules/plans/random-changes.fixtures.ts'

/** Fewer during development. */
const cases = Number(process.env['GANTRY_PLAN_CASES'] ?? 10_000)
/** Of one control plane: its history grows with each. */
const each = 1000

test('plans say what then happens, in many random cases', async () => {
  for (let seed = 1; seed <= Math.ceil(cases / each); seed++) {
    const bed = await testControlPlane({ idle: true })
    try {
      const done = await planAtRandom(bed, Math.min(each, cases), seed)
      expect(done).toBeGreaterThan(Math.min(each, cases) / 5)
    } finally {
      await bed.stop()
    }
  }
})
