import type { OpName } from '@gantry/api/registry'
import { sql } from 'kysely'
import type { Cx } from '../../context/cx.ts'
import type { TrackedName } from '../../db/tables.ts'
import { generationOf } from '../../lookup/etag.ts'
import { viewSettings as recycleBinSettings } from '../recycle-bin/settings.ts'
import { viewTagDemand } from '../tags/demand.ts'
import { authSettingsOf } from '../sign-in/auth-settings.ts'
import { viewNetworkingSettings } from '../system-network/networking-settings.ts'
import { viewIcmp } from '../system-network/access.ts'

type Contents = Readonly<Record<string, unknown>>

/** How the fields of a kind are set: by an update that takes all of them. */
interface Reversal {
  op: OpName
  /** The parameters of its path, for the object of this id. */
  path: (id: string) => Record<string, string>
  /** Fields of the operation by the columns that they set. */
  fields: Readonly<Record<string, string>>
  /** What a field is called as a value of the operation, where it is not stored so; beside it, the object as it is now. */
  values?: Readonly<Record<string, (stored: unknown, now: Contents) => unknown>>
  /** The object as it is now, with its generation if it has one; undefined once it is gone. */
  now: (cx: Cx, id: string) => Promise<Contents | undefined>
  /** Why it is not found, if not because it was deleted. */
  missing?: string
}

/** The row as it is now; undefined once it is deleted. */
export async function rowNow(cx: Cx, table: string, id: string): Promise<Contents | undefined> {
  const { rows } = await sql<Contents>`
    SELECT * FROM ${sql.table(table)} WHERE id = ${id} AND time_deleted IS NULL`.execute(cx.db)
  return rows[0]
}

const row = (
  table: TrackedName,
  op: OpName,
  selector: string,
  fields: Readonly<Record<string, string>>,
  values?: Reversal['values'],
): Reversal => ({
  op,
  path: (id) => ({ [selector]: id }),
  fields,
  ...(values && { values }),
  now: (cx, id) => rowNow(cx, table, id),
})

/** Settings of the caller's silo, which their operations only change for that silo. */
const ofOwnSilo = (
  op: OpName,
  fields: Readonly<Record<string, string>>,
  now: (cx: Cx, silo_id: string) => Promise<Contents>,
): Reversal => ({
  op,
  path: () => ({}),
  fields,
  now: async (cx, id) => (id === cx.user().silo_id ? now(cx, id) : undefined),
  missing: 'Only users of this silo change these settings.',
})

const named = { name: 'name', description: 'description' }

/** Kinds whose name and description have an operation of their own. */
const identities: Readonly<Record<string, Reversal>> = {
  instance: row('instance', 'instanceIdentityUpdate', 'instance', named),
  disk: row('disk', 'diskIdentityUpdate', 'disk', named),
  'instance-snapshot': row('instance_snapshot', 'instanceSnapshotIdentityUpdate', 'instance_snapshot', named),
}

const cdsReversal = row('instance', 'instanceCdsUpdate', 'instance', { cds: 'cds' })
const hardwareReversal = row('instance', 'instanceHardwareUpdate', 'instance', { hardware: 'chosen' })

/** How to set back what a change of this kind changed: `isChanged` tells of a column. */
export function reversalOf(kind: string, isChanged: (column: string) => boolean): Reversal | undefined {
  const identity = identities[kind]
  if (kind === 'instance' && isChanged('cds')) return cdsReversal
  if (kind === 'instance' && isChanged('hardware')) return hardwareReversal
  return identity && Object.keys(named).some(isChanged) ? identity : reversals[kind]
}

/** By kind; what is attached, access, quotas and firewall rules are reverted in ways of their own. */
const reversals: Readonly<Record<string, Reversal>> = {
  project: row('project', 'projectUpdate', 'project', named),
  instance: row('instance', 'instanceUpdate', 'instance', {
    ncpus: 'ncpus',
    memory: 'memory',
    boot_disk_id: 'boot_disk',
    auto_restart_policy: 'auto_restart_policy',
    cpu_platform: 'cpu_platform',
    enable_jumbo_frames: 'enable_jumbo_frames',
  }),
  'floating-ip': row('external_ip', 'floatingIpUpdate', 'floating_ip', named),
  'external-subnet': row('external_subnet', 'externalSubnetUpdate', 'external_subnet', named),
  'subnet-pool': row('subnet_pool', 'subnetPoolUpdate', 'pool', named),
  vpc: row('vpc', 'vpcUpdate', 'vpc', { ...named, dns_name: 'dns_name' }),
  'vpc-subnet': row('vpc_subnet', 'vpcSubnetUpdate', 'subnet', {
    ...named,
    custom_router_id: 'custom_router',
  }),
  'vpc-router': row('vpc_router', 'vpcRouterUpdate', 'router', named),
  'router-route': row('router_route', 'vpcRouterRouteUpdate', 'route', {
    ...named,
    target: 'target',
    destination: 'destination',
  }),
  'instance-network-interface': row('network_interface', 'instanceNetworkInterfaceUpdate', 'interface', {
    ...named,
    transit_ips: 'transit_ips',
  }),
  'affinity-group': row('affinity_group', 'affinityGroupUpdate', 'affinity_group', named),
  'anti-affinity-group': row('anti_affinity_group', 'antiAffinityGroupUpdate', 'anti_affinity_group', named),
  'metric-query': row('metric_query', 'metricQueryUpdate', 'metric_query', {
    ...named,
    query: 'query',
    threshold: 'threshold',
  }),
  schedule: row(
    'schedule',
    'scheduleUpdate',
    'schedule',
    {
      ...named,
      objects: 'objects',
      filter: 'filter',
      timing: 'timing',
      timezone: 'timezone',
      keep: 'keep',
      target: 'target',
      is_enabled: 'is_enabled',
    },
    { keep: (stored) => stored ?? 'none' },
  ),
  'shared-view': row('shared_view', 'sharedViewUpdate', 'shared_view', {
    name: 'name',
    filter: 'filter',
    sort: 'sort',
    columns: 'columns',
  }),
  'instance-template': row(
    'instance_template',
    'instanceTemplateUpdate',
    'instance_template',
    { ...named, settings: 'settings', fixed: 'fixed' },
    // The account has no documents, so user data stays.
    {
      settings: (stored, { user_data }) => ({
        ...(stored as object),
        ...(user_data !== null && { user_data }),
      }),
    },
  ),
  'ip-pool': row('ip_pool', 'ipPoolUpdate', 'pool', named),
  'alert-receiver': row('alert_receiver', 'webhookReceiverUpdate', 'receiver', {
    ...named,
    endpoint: 'endpoint',
  }),
  'support-bundle': row('support_bundle', 'supportBundleUpdate', 'bundle_id', {
    user_comment: 'user_comment',
  }),
  sled: row(
    'sled',
    'sledSetProvisionPolicy',
    'sled_id',
    { is_provisionable: 'state' },
    { is_provisionable: (is) => (is ? 'provisionable' : 'non_provisionable') },
  ),
  'silo-auth-settings': ofOwnSilo(
    'authSettingsUpdate',
    { device_token_max_ttl_seconds: 'device_token_max_ttl_seconds' },
    async (cx, silo_id) => ({ ...(await authSettingsOf(cx.db, silo_id)) }),
  ),
  'silo-recycle-bin': ofOwnSilo('recycleBinSettingsUpdate', { hours: 'hours' }, (cx) =>
    recycleBinSettings(cx),
  ),
  'silo-tag-demand': ofOwnSilo(
    'tagDemandUpdate',
    { keys: 'keys', kinds: 'kinds', is_for_all_clients: 'is_for_all_clients' },
    async (cx) => ({ ...(await viewTagDemand(cx)) }),
  ),
  'networking-settings': {
    op: 'systemNetworkingSettingsUpdate',
    path: () => ({}),
    fields: { external_jumbo_frames_opt_in_enabled: 'external_jumbo_frames_opt_in_enabled' },
    now: async (cx) => {
      const view = await viewNetworkingSettings(cx)
      return { ...view, generation: generationOf(view) }
    },
  },
  'inbound-icmp': {
    op: 'networkingInboundIcmpUpdate',
    path: () => ({}),
    fields: { enabled: 'enabled' },
    now: async (cx) => {
      const view = await viewIcmp(cx)
      return { enabled: view.enabled, generation: generationOf(view) }
    },
  },
}
