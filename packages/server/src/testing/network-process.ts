import readline from 'node:readline'
import type { MachineSpec } from '@gantry/control-plane/fleet/fleet'
import type { VpcNetwork } from '@gantry/control-plane/fleet/networks'
import { QemuNetworks, type NetworkOptions } from '../fleet/qemu/network/networks.ts'

/* The networks of a host in a process that tests kill or run as another user: one call per line, and its answer. */
export type NetworkProcessOptions = Omit<NetworkOptions, 'log'>
export type NetworkCall =
  | { call: 'apply'; network: VpcNetwork }
  | { call: 'remove'; ids: string[] }
  | { call: 'inForce' }
  | { call: 'enter'; spec: MachineSpec; uid: number }
  | { call: 'leave'; machineId: string }

const say = (value: unknown): boolean => process.stdout.write(`${JSON.stringify(value)}\n`)

const networks = await QemuNetworks.open({
  ...(JSON.parse(process.argv[2] ?? '') as NetworkProcessOptions),
  log: { error: (fields, message) => console.error(message, fields) },
})
say({ answer: { hasExternalAddresses: networks.hasExternalAddresses } })
for await (const line of readline.createInterface({ input: process.stdin })) {
  try {
    say({ answer: await answer(JSON.parse(line) as NetworkCall) })
  } catch (error) {
    say({ error: String(error), cause: String((error as Error).cause) })
  }
}

async function answer(call: NetworkCall): Promise<unknown> {
  switch (call.call) {
    case 'apply':
      return networks.apply(call.network)
    case 'remove':
      return networks.remove(call.ids)
    case 'inForce':
      return Object.fromEntries(await networks.inForce())
    case 'enter': {
      const { prefix, taps } = await networks.attach(call.spec, call.uid)
      return { enter: prefix, taps: Object.fromEntries(taps) }
    }
    case 'leave':
      return networks.detach(call.machineId)
    default:
      throw new Error(call satisfies never)
  }
}
