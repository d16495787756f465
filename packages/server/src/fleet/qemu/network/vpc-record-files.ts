import { mkdir, readdir } from 'node:fs/promises'
import path from 'node:path'
import type { VpcNetwork } from '@gantry/control-plane/fleet/networks'
import { z } from 'zod'
import { readIfThere, writeDurably } from '../host/durable-file.ts'
import type { VpcRecord } from './vpc-record.ts'

const range = z.object({ first: z.int(), last: z.int() })
const networkInterface = z.object({
  id: z.string(),
  instance_id: z.string(),
  machine_id: z.string().nullable(),
  subnet_id: z.string(),
  hostname: z.string(),
  // Earlier versions stored none.
  name: z.string().default(''),
  mac: z.string(),
  ip: z.string(),
  is_primary: z.boolean(),
  transit_ips: z.array(z.string()),
  external: z.array(
    z.object({
      kind: z.enum(['floating', 'ephemeral', 'snat']),
      ip: z.string(),
      first_port: z.int(),
      last_port: z.int(),
      gateway_ids: z.array(z.string()),
    }),
  ),
})
const network = z.object({
  id: z.string(),
  generation: z.int(),
  vni: z.int(),
  dns_name: z.string(),
  subnets: z.array(
    z.object({
      id: z.string(),
      block: z.string(),
      gateway: z.string(),
      routes: z.array(
        z.object({
          block: z.string(),
          hop: z.discriminatedUnion('type', [
            z.object({ type: z.literal('local') }),
            z.object({ type: z.literal('interface'), interface_id: z.string() }),
            z.object({ type: z.literal('gateway'), gateway_id: z.string() }),
            z.object({ type: z.literal('drop') }),
          ]),
        }),
      ),
    }),
  ),
  interfaces: z.array(networkInterface),
  rules: z.array(
    z.object({
      direction: z.enum(['inbound', 'outbound']),
      action: z.enum(['allow', 'deny']),
      interface_ids: z.array(z.string()),
      hosts: z.array(z.string()).exactOptional(),
      ports: z.array(range).exactOptional(),
      protocols: z
        .array(
          z.union([
            z.object({ type: z.enum(['tcp', 'udp']) }),
            z.object({
              type: z.literal('icmp'),
              icmp_type: z.int().exactOptional(),
              codes: range.exactOptional(),
            }),
          ]),
        )
        .exactOptional(),
    }),
  ),
}) satisfies z.ZodType<VpcNetwork>

/** The stored record of a VPC. */
const record = z.object({
  network,
  link: z.int(),
  tables: z.record(z.string(), z.int()),
  last_table: z.int(),
  zones: z.record(z.string(), z.object({ number: z.int(), ways: z.array(z.string()) })),
  last_zone: z.int(),
  transit: z.record(z.string(), z.int()),
}) satisfies z.ZodType<VpcRecord>

/** The file with the record of a VPC, in the folder of all networks. */
const recordFile = (folder: string, id: string): string => path.join(folder, id, 'network.json')

/** The record of a VPC; undefined if there is none. Throws if it cannot be read. */
export async function readVpcRecord(folder: string, id: string): Promise<VpcRecord | undefined> {
  const file = recordFile(folder, id)
  const text = await readIfThere(file)
  if (text === undefined) return undefined
  const found = record.parse(JSON.parse(text))
  if (found.network.id !== id) throw new Error(`${file} is the record of the VPC ${found.network.id}.`)
  return found
}

export async function writeVpcRecord(folder: string, one: VpcRecord): Promise<void> {
  const file = recordFile(folder, one.network.id)
  await mkdir(path.dirname(file), { recursive: true })
  await writeDurably(file, JSON.stringify(one))
}

/** The records of all VPCs, and those that cannot be read, with the reason. `others` are folders without a VPC. */
export async function vpcRecords(
  folder: string,
  others: ReadonlySet<string>,
): Promise<{ records: VpcRecord[]; unreadable: Map<string, unknown> }> {
  const entries = await readdir(folder, { withFileTypes: true })
  const ids = entries.filter((one) => one.isDirectory() && !others.has(one.name)).map(({ name }) => name)
  const unreadable = new Map<string, unknown>()
  const found = await Promise.all(
    ids.map((id) => readVpcRecord(folder, id).catch((error: unknown) => void unreadable.set(id, error))),
  )
  return { records: found.flatMap((one) => one ?? []), unreadable }
}
