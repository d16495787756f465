import type { FirewallRule, Rule } from './rule.ts'

/** A test rule with the given fields. */
export const fakeRule = (name: string, more: Partial<Rule> = {}): FirewallRule => ({
  id: `id-of-${name}`,
  vpcId: 'vpc',
  timeCreated: new Date(0),
  timeModified: new Date(0),
  name,
  description: '',
  status: 'enabled',
  action: 'allow',
  direction: 'inbound',
  priority: 100,
  targets: [{ type: 'vpc', value: 'default' }],
  filters: { hosts: null, ports: null, protocols: null },
  ...more,
})

/** A seeded random generator: the same cases on every run. */
export function dice(seed: number): (sides: number) => number {
  let state = seed
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}
