import { prepareNetwork } from '../packages/control-plane/src/modules/packets/network.ts'
import { Chance, dice } from '../packages/control-plane/src/modules/packets/random-network.fixtures.ts'
import { evaluatePacket } from '../packages/control-plane/src/modules/packets/verdict.ts'
import { ms, table, time } from './measure.ts'

const ruleCount = 1000
const rounds = 5000

/** The cost of a packet check in a VPC with many rules, with and without reading the rules first. */
export default async function measure(): Promise<void> {
  const chance = new Chance(dice(1))
  const rows = chance.network(ruleCount)
  const network = prepareNetwork(rows)
  const instances = [...network.instances.values()]
  const end = () => ({ type: 'instance' as const, instance: chance.pick(instances) })
  const verdict = await time(rounds, async () => evaluatePacket(network, end(), end(), chance.packet()))
  // No rule matches, so every rule is evaluated.
  const unfit = rows.rules.map((rule) => ({ ...rule, filters: { ...rule.filters, ports: ['2'] } }))
  const strict = prepareNetwork({ ...rows, rules: unfit })
  const [one, other] = [...strict.instances.values()]
  const longest = await time(rounds, async () => {
    if (one && other)
      evaluatePacket(
        strict,
        { type: 'instance', instance: one },
        { type: 'instance', instance: other },
        chance.packet(),
      )
  })
  const both = await time(rounds / 10, async () => {
    const fresh = prepareNetwork(rows)
    const [from, to] = [...fresh.instances.values()]
    if (from && to)
      evaluatePacket(
        fresh,
        { type: 'instance', instance: from },
        { type: 'instance', instance: to },
        chance.packet(),
      )
  })
  console.log(
    `${ruleCount.toLocaleString()} rules; ${rounds.toLocaleString()} random packets between instances`,
  )
  table([
    { what: 'verdict', p50: ms(verdict.p50), p95: ms(verdict.p95) },
    { what: 'verdict that no rule fits', p50: ms(longest.p50), p95: ms(longest.p95) },
    { what: 'reading the rows, then a verdict', p50: ms(both.p50), p95: ms(both.p95) },
  ])
}
