import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Networks, VpcNetwork } from '../../packages/control-plane/src/fleet/networks.ts'
import { simulatedFleet } from '../../packages/control-plane/src/fleet/simulated/fleet.ts'
import {
  type Caller,
  eventually,
  testControlPlane,
} from '../../packages/control-plane/src/testing/control-plane.ts'
import { runWords, Stage, whySkipped } from './stage.ts'

/* From a request that replaces the rules of a VPC to the kernel: real networks, of machines that are simulated. */
const ruleCount = 50
const rounds = 30
const inProject = '?project=playground'

const skipped = whySkipped()
if (skipped) console.log(`the way of a rule into force is skipped: ${skipped}`)

test.skipIf(skipped).each([2, 20, 50])('rules of a VPC with %d instances are in force', async (instances) => {
  const stage = await Stage.set()
  try {
    const { host, whole } = await timed(stage, instances)
    // One state of the whole VPC for each change.
    expect([host.length, whole.length]).toEqual([rounds, rounds])
    console.log(`${instances} instances, ${ruleCount} rules, ${rounds} changes; milliseconds:`)
    console.table({ 'on the host': middle(host), 'since the request': middle(whole) })
  } finally {
    await stage.close()
  }
})

async function timed(stage: Stage, instances: number): Promise<{ host: number[]; whole: number[] }> {
  const host: number[] = []
  const { networks } = stage
  const measured: Networks = {
    hasExternalAddresses: networks.hasExternalAddresses,
    remove: networks.remove,
    inForce: networks.inForce,
    refused: networks.refused,
    apply: async (network: VpcNetwork) => {
      const begin = performance.now()
      const generation = await networks.apply(network)
      host.push(performance.now() - begin)
      return generation
    },
  }
  const bed = await testControlPlane({
    environment: { fleet: (around) => ({ ...simulatedFleet(around), networks: measured }) },
  })
  try {
    const admin = await bed.signIn('admin')
    await startAll(admin, instances)
    const { body: vpc } = await admin.get(`/v1/vpcs/default${inProject}`)
    const enter = ['nsenter', `--net=/run/netns/gantry-${stage.tag}-v-${vpc.id}`, '--']
    host.length = 0
    const whole: number[] = []
    for (let round = 0; round < rounds; round++) {
      whole.push(await change(admin, round))
      const rules = runWords([...enter, 'nft', 'list', 'table', 'ip', 'gantry'])
      const has = (port: number): boolean => new RegExp(`th dport \\{? ?${port}\\b`).test(rules)
      const ports = [portOf(0, round), portOf(ruleCount - 1, round), portOf(0, round + 1)]
      expect(ports.map(has)).toEqual([true, true, false])
    }
    return { host, whole }
  } finally {
    await bed.stop()
  }
}

/** Until they run, and nothing of their starts is left to bring into force. */
async function startAll(admin: Caller, instances: number): Promise<void> {
  for (let number = 0; number < instances; number++) await create(admin, `vm-${number}`)
  await eventually(
    async () => {
      await sleep(500)
      const { body } = await admin.get(`/v1/instances${inProject}&limit=1000`)
      return (body.items as { run_state: string }[]).map(({ run_state }) => run_state)
    },
    (states) => states.every((state) => state === 'running'),
    300_000,
  )
  const generation = async (): Promise<number> => (await networkOf(admin))?.generation ?? -1
  await eventually(
    async () => {
      const before = await generation()
      await sleep(1500)
      return [before, await generation()] as const
    },
    ([before, now]) => now > 0 && now === before,
    60_000,
  )
}

const portOf = (rule: number, round: number): number => 1000 + rule * 100 + round

async function create(admin: Caller, name: string): Promise<void> {
  const { status, body } = await admin.post(`/v1/instances${inProject}`, {
    name,
    description: '',
    hostname: name,
    ncpus: 1,
    memory: 2 ** 30,
    network_interfaces: { type: 'default' },
  })
  expect([status, body.message]).toEqual([201, undefined])
}

async function networkOf(admin: Caller): Promise<{ state: string; generation: number } | null> {
  const { body } = await admin.get(`/ext/v1/vpcs/default/network${inProject}`)
  return body.network
}

/** Milliseconds until the next generation is in force. */
async function change(admin: Caller, round: number): Promise<number> {
  const before = (await networkOf(admin))?.generation ?? 0
  const rules = Array.from({ length: ruleCount }, (_, number) => ({
    name: `rule-${number}`,
    description: '',
    status: 'enabled',
    direction: 'inbound',
    action: 'allow',
    priority: 100 + number,
    targets: [{ type: 'vpc', value: 'default' }],
    filters: { ports: [String(portOf(number, round))] },
  }))
  const begin = performance.now()
  const path = `/v1/vpc-firewall-rules${inProject}&vpc=default`
  const { status, body } = await admin.call('PUT', path, { rules })
  expect([status, body.message]).toEqual([200, undefined])
  await eventually(
    () => networkOf(admin),
    (network) => network?.state === 'applied' && network.generation > before,
    30_000,
  )
  return performance.now() - begin
}

/** The median, and what 1 in 20 exceeds. */
function middle(taken: readonly number[]): { p50: number; p95: number } {
  const sorted = taken.toSorted((one, other) => one - other)
  const at = (share: number): number => Math.round(sorted[Math.floor(sorted.length * share)] ?? 0)
  return { p50: at(0.5), p95: at(0.95) }
}
