import type { OpName } from '@gantry/api/registry'
import type { TrackedName } from '../../db/tables.ts'

/** How the fields of a kind are set: by an update that takes all of them. */
export interface Reversal {
  table: TrackedName
  op: OpName
  /** The parameter of its path. */
  selector: string
  /** Fields of the operation by the columns that they set. */
  fields: Readonly<Record<string, string>>
}

const named = { name: 'name', description: 'description' }

/** By kind; what is attached, access, quotas and firewall rules are reverted in ways of their own. */
export const reversals: Readonly<Record<string, Reversal>> = {
  project: { table: 'project', op: 'projectUpdate', selector: 'project', fields: named },
  instance: {
    table: 'instance',
    op: 'instanceUpdate',
    selector: 'instance',
    fields: {
      ncpus: 'ncpus',
      memory: 'memory',
      boot_disk_id: 'boot_disk',
      auto_restart_policy: 'auto_restart_policy',
    },
  },
  'floating-ip': { table: 'external_ip', op: 'floatingIpUpdate', selector: 'floating_ip', fields: named },
  vpc: { table: 'vpc', op: 'vpcUpdate', selector: 'vpc', fields: { ...named, dns_name: 'dns_name' } },
  'vpc-subnet': {
    table: 'vpc_subnet',
    op: 'vpcSubnetUpdate',
    selector: 'subnet',
    fields: { ...named, custom_router_id: 'custom_router' },
  },
  'vpc-router': { table: 'vpc_router', op: 'vpcRouterUpdate', selector: 'router', fields: named },
  'router-route': {
    table: 'router_route',
    op: 'vpcRouterRouteUpdate',
    selector: 'route',
    fields: { ...named, target: 'target', destination: 'destination' },
  },
  'instance-network-interface': {
    table: 'network_interface',
    op: 'instanceNetworkInterfaceUpdate',
    selector: 'interface',
    fields: { ...named, transit_ips: 'transit_ips' },
  },
  'affinity-group': {
    table: 'affinity_group',
    op: 'affinityGroupUpdate',
    selector: 'affinity_group',
    fields: named,
  },
  'anti-affinity-group': {
    table: 'anti_affinity_group',
    op: 'antiAffinityGroupUpdate',
    selector: 'anti_affinity_group',
    fields: named,
  },
  'metric-query': {
    table: 'metric_query',
    op: 'metricQueryUpdate',
    selector: 'metric_query',
    fields: { ...named, query: 'query', threshold: 'threshold' },
  },
}
