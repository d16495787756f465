import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { machineOf } from '../fleet/qemu/machine/arguments.ts'
import { cleanHost } from '../fleet/qemu/host/clean.ts'
import { fleetFolder, tagFile } from '../fleet/qemu/host/folders.ts'
import { hostCommand } from '../fleet/qemu/host/host-command.ts'
import { dnsmasqProcesses } from '../fleet/qemu/network/dnsmasq.ts'
import { namesOf, readNamespace } from '../fleet/qemu/network/names.ts'
import { endProcess, identityOf, runningProcesses } from '../fleet/qemu/host/processes.ts'

export interface OnHost {
  /** Process ids by machine. */
  machines: Map<string, number[]>
  /** DHCP and DNS servers, each with the id of its VPC, or `host`. */
  servers: { pid: number; of: string }[]
  namespaces: string[]
  links: string[]
  /** Tables of nftables. */
  tables: string[]
}

const tagOf = async (dataDir: string): Promise<string> =>
  (await readFile(tagFile(fleetFolder(dataDir)), 'utf8')).trim()

/** Process ids by machine, of the fleet of a data directory. */
export async function machinesOnHost(dataDir: string): Promise<OnHost['machines']> {
  const tag = await tagOf(dataDir)
  const machines: OnHost['machines'] = new Map()
  for await (const { pid, words } of runningProcesses()) {
    const machine = machineOf(tag, words)
    if (machine !== undefined) machines.set(machine, [...(machines.get(machine) ?? []), pid])
  }
  return machines
}

/** What the fleet of a data directory has on its host outside of that directory, as root sees it. */
export async function onHost(dataDir: string): Promise<OnHost> {
  const folder = fleetFolder(dataDir)
  const tag = await tagOf(dataDir)
  const machines = await machinesOnHost(dataDir)
  const found: OnHost = { machines, servers: [], namespaces: [], links: [], tables: [] }
  found.servers = (await dnsmasqProcesses(path.join(folder, 'networks'))).map(({ pid, of }) => ({ pid, of }))
  const named = async (...words: string[]): Promise<string[]> =>
    (
      JSON.parse((await hostCommand(['ip', '-json', ...words])) || '[]') as {
        name?: string
        ifname?: string
      }[]
    ).map(({ name, ifname }) => name ?? ifname ?? '')
  found.namespaces = (await named('netns', 'list')).filter((name) => readNamespace(tag, name))
  const names = namesOf(tag)
  found.links = (await named('link', 'show')).filter(
    (name) => name === names.sinkDevice || name.startsWith(names.links),
  )
  const tables = await hostCommand(['nft', 'list', 'tables'])
  found.tables = tables.split('\n').filter((line) => line.endsWith(` ${names.table}`))
  return found
}

/** Ends and removes all of it; nothing may serve the fleet. */
export async function removeFromHost(dataDir: string): Promise<void> {
  for (const pid of [...(await machinesOnHost(dataDir)).values()].flat()) {
    const one = await identityOf(pid)
    if (one) await endProcess(one)
  }
  await cleanHost({ folder: fleetFolder(dataDir) }, async () => true)
  const left = await onHost(dataDir)
  if (Object.values(left).some((list) => (Array.isArray(list) ? list.length : list.size) > 0))
    throw new Error(`left on the host: ${JSON.stringify({ ...left, machines: [...left.machines] })}`)
}
