import type { Reader } from '../../db/database.ts'
import type { StoredSettings } from '../../db/tables/storage.ts'
import type { Description } from './description.ts'

interface PlacedInterface {
  name: string
  description: string
  was: string
  ip_stack: Description['network_interfaces'][number]['ip_stack']
  subnet: { id: string; name: string; vpc_id: string; vpc_name: string } | undefined
}

/** Each interface in the subnet of the same name, or else in the default one. All of an instance are in one VPC. */
export async function interfacesIn(
  db: Reader,
  projectId: string,
  { network_interfaces }: Pick<Description, 'network_interfaces'>,
): Promise<PlacedInterface[]> {
  const subnets = await db
    .selectFrom('vpc_subnet as subnet')
    .innerJoin('vpc', 'vpc.id', 'subnet.vpc_id')
    .select(['subnet.id', 'subnet.name', 'vpc.id as vpc_id', 'vpc.name as vpc_name'])
    .where('vpc.project_id', '=', projectId)
    .where('vpc.time_deleted', 'is', null)
    .where('subnet.time_deleted', 'is', null)
    .execute()
  const of = (vpc: string, subnet: string) =>
    subnets.find((one) => one.vpc_name === vpc && one.name === subnet)
  let vpcId: string | undefined
  const taken = new Set<string>()
  return network_interfaces.map(({ name, description, vpc, subnet, ip_stack }) => {
    const candidates = [of(vpc, subnet), of('default', 'default')]
    const found = candidates.find(
      (one) => one && !taken.has(one.id) && (vpcId === undefined || one.vpc_id === vpcId),
    )
    if (found) {
      vpcId = found.vpc_id
      taken.add(found.id)
    }
    return { name, description, was: vpc === '' ? subnet : `${vpc}/${subnet}`, ip_stack, subnet: found }
  })
}

export const settingsFrom = (
  description: Description,
  interfaces: readonly PlacedInterface[],
  { ncpus, memory, hostname }: { ncpus: number; memory: number; hostname: string },
): StoredSettings => {
  const placed = interfaces.flatMap((one) => (one.subnet ? [{ ...one, subnet: one.subnet }] : []))
  return {
    description: description.description,
    ncpus,
    memory,
    hostname,
    auto_restart_policy: description.auto_restart_policy,
    cpu_platform: description.cpu_platform,
    enable_jumbo_frames: false,
    hardware: description.hardware,
    cds: [],
    network_interfaces: placed.map(({ name, description: text, ip_stack, subnet }, at) => ({
      name,
      description: text,
      vpc: { id: subnet.vpc_id, name: subnet.vpc_name },
      subnet: { id: subnet.id, name: subnet.name },
      is_primary: at === 0,
      transit_ips: [],
      ip_stack,
    })),
    ephemeral_ip_pools: [],
    ssh_keys: [],
    anti_affinity_groups: [],
    affinity_groups: [],
  }
}
