import { expect, test } from 'vitest'
import { EXTERNAL, Stage, whySkipped } from './stage.ts'
import { judgeRandomly } from './trials.ts'

/** Environment variables name another seed, or more networks. */
const seed = Number(process.env.GANTRY_ORACLE_SEED ?? 19)
const machineSets = Number(process.env.GANTRY_ORACLE_SETS ?? 40)

const skipped = whySkipped()
if (skipped) console.log(`the firewall oracle is skipped: ${skipped}`)

test.skipIf(skipped)('real packets end where the records say, through random networks', async () => {
  console.log(`seed ${seed}: ${machineSets} sets of machines`)
  const stage = await Stage.set()
  try {
    const { words, networks } = stage
    const carrier = {
      words,
      apply: networks.apply.bind(networks),
      powerOn: stage.powerOn.bind(stage),
      hostMac: stage.macOf(EXTERNAL),
    }
    const { count, differences } = await judgeRandomly(carrier, { seed, machineSets })
    console.log(count)
    if (differences.length > 0) console.log(JSON.stringify(differences[0], undefined, 1))
    expect(differences.map((one) => ({ ...one, rows: undefined }))).toEqual([])
    for (const fate of ['arrived', 'left', 'dropped'] as const)
      expect(count[fate]).toBeGreaterThan(count.packets / 50)
  } finally {
    await stage.close()
  }
})
