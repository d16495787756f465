import type { FirewallRuleUpdate } from '@gantry/api/network/vpc-firewall'
import { vpcPrefixProblem } from '@gantry/api/network/vpc.rules'
import type { Row } from '@gantry/control-plane/db/tables'
import type { Change } from '@gantry/control-plane/change/change'
import { insufficient, invalid } from '@gantry/control-plane/context/refusal'
import { retryWhenTaken } from '@gantry/control-plane/change/retry'
import { createFirewall } from './firewall.ts'
import { ipv6SubnetOf, randomVpcPrefix } from '../addresses/ip.ts'
import { holdDefaultPools } from '../addresses/pools.ts'
import { insertSubnet } from './subnets.ts'

interface VpcCreate {
  name: string
  description: string
  dns_name: string
  ipv6_prefix?: string
}

/** Creates the network of a new project (control plane reference, B 2.2). */
export async function createDefaultVpc(tx: Change, project: Row<'project'>): Promise<void> {
  await createVpc(tx, project, { name: 'default', description: 'Default VPC', dns_name: 'default' })
}

/** Creates a VPC with everything that makes it usable at once (control plane reference, B 9.2). */
export async function createVpc(tx: Change, project: Row<'project'>, wanted: VpcCreate): Promise<Row<'vpc'>> {
  const { name, description, dns_name, ipv6_prefix = randomVpcPrefix(tx.cx.services.random) } = wanted
  const problem = vpcPrefixProblem(ipv6_prefix)
  if (problem) throw invalid(problem, 'Leave the prefix out to get a random one.')
  const system_router_id = tx.cx.newId()
  const vni = await freeVni(tx)
  const vpc = await retryWhenTaken(
    'vpc_vni_key',
    tx.insert('vpc', {
      name,
      description,
      dns_name,
      project_id: project.id,
      ipv6_prefix,
      system_router_id,
      vni,
    }),
  )
  await createSystemRouter(tx, vpc)
  await insertSubnet(tx, vpc, {
    name: 'default',
    description: `The default subnet for ${vpc.name}`,
    ipv4_block: '172.30.0.0/22',
    ipv6_block: ipv6SubnetOf(vpc.ipv6_prefix, 0),
    custom_router_id: null,
  })
  await createDefaultGateway(tx, vpc, project.silo_id)
  await createFirewall(tx, vpc.id, defaultRules(vpc.name))
  return vpc
}

/** Virtual networks are numbered with 24 bits. */
const vniCount = 2 ** 24
const vniCandidates = 16

/** Candidates are drawn and checked in one batch: even a half-full rack has a free one among them. */
export async function freeVni(tx: Change): Promise<number> {
  const bytes = tx.cx.services.random(4 * vniCandidates)
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  const drawn = Array.from({ length: vniCandidates }, (_, index) => view.getUint32(4 * index) % vniCount)
  const rows = await tx.read
    .selectFrom('vpc')
    .select('vni')
    .where('vni', 'in', drawn)
    .where('time_deleted', 'is', null)
    .execute()
  const taken = new Set(rows.map((row) => row.vni))
  const free = drawn.find((vni) => !taken.has(vni))
  if (free === undefined) throw insufficient('No free virtual network was found', { help: 'Try again.' })
  return free
}

async function createSystemRouter(tx: Change, vpc: Row<'vpc'>): Promise<void> {
  const router = await tx.insert('vpc_router', {
    id: vpc.system_router_id,
    vpc_id: vpc.id,
    name: 'system',
    description: 'Routes are automatically added to this router as VPC subnets are created',
    kind: 'system',
  })
  const everywhere = { 'default-v4': '0.0.0.0/0', 'default-v6': '::/0' }
  for (const [name, network] of Object.entries(everywhere)) {
    await tx.insert('router_route', {
      vpc_router_id: router.id,
      name,
      description: 'The default route of a vpc',
      kind: 'default',
      destination: JSON.stringify({ type: 'ip_net', value: network }),
      target: JSON.stringify({ type: 'internet_gateway', value: 'default' }),
      vpc_subnet_id: null,
    })
  }
}

/** In a silo without a default pool, the gateway leads nowhere yet. */
async function createDefaultGateway(tx: Change, vpc: Row<'vpc'>, siloId: string): Promise<void> {
  const gateway = await tx.insert('internet_gateway', {
    vpc_id: vpc.id,
    name: 'default',
    description: 'Automatically created default VPC gateway',
  })
  for (const pool of await holdDefaultPools(tx, siloId))
    await tx.insert('internet_gateway_ip_pool', {
      internet_gateway_id: gateway.id,
      ip_pool_id: pool.id,
      name: 'default',
      description: 'Automatically attached default IP pool',
    })
}

function defaultRules(vpcName: string): FirewallRuleUpdate[] {
  const vpc = { type: 'vpc', value: vpcName } as const
  const allow = (
    name: string,
    description: string,
    filters: FirewallRuleUpdate['filters'],
  ): FirewallRuleUpdate => ({
    name,
    description,
    status: 'enabled',
    direction: 'inbound',
    action: 'allow',
    priority: 65_534,
    targets: [vpc],
    filters,
  })
  return [
    allow(
      'allow-internal-inbound',
      'allow inbound traffic to all instances within the VPC if originated within the VPC',
      { hosts: [vpc] },
    ),
    allow('allow-ssh', 'allow inbound TCP connections on port 22 from anywhere', {
      ports: ['22'],
      protocols: [{ type: 'tcp' }],
    }),
    allow('allow-icmp', 'allow inbound ICMP traffic from anywhere', {
      protocols: [{ type: 'icmp', value: null }],
    }),
  ]
}
