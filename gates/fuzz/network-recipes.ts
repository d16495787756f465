import { uplinkSettings } from '@gantry/control-plane/testing/rack-network'
import type { Chance } from './chance.ts'
import type { Draft } from './draft.ts'
import type { Near } from './kind-and-id.ts'
import type { Scene } from './scene.ts'

const network = '/v1/system/networking'

/** Requests of networks that can succeed: parts of the rack that exist, addresses of their lot, and multicast groups. */
export async function finishNetwork(
  draft: Draft,
  { bed, fleet }: Scene,
  chance: Chance,
  near: Near,
): Promise<void> {
  const place: [string, string][] = [
    ['rack_id', fleet.rack],
    ['switch_slot', 'switch0'],
  ]
  const address = `203.0.113.${chance.between(100, 250)}`
  const anyAddress = { allow: 'any' }
  switch (draft.op.id.replace(/^networking_|^network_/, '')) {
    case 'switch_port_apply_settings':
    case 'switch_port_clear_settings':
    case 'switch_port_status':
    case 'switch_port_lldp_config_view':
      draft.path = draft.path.replace(/(switch-port\/)[^/]+/, '$1qsfp0')
      draft.query = place
      if (draft.body !== undefined) draft.body = { port_settings: 'uplink' }
      break
    case 'switch_port_lldp_config_update': {
      const row = await bed.db
        .selectFrom('switch_port_settings')
        .select('contents')
        .where('name', '=', 'uplink')
        .executeTakeFirst()
      draft.path = draft.path.replace(/(switch-port\/)[^/]+/, '$1qsfp0')
      draft.query = place
      draft.body = row?.contents.links[0]?.lldp_link_config
      break
    }
    case 'switch_port_lldp_neighbors':
      draft.path = `/v1/system/hardware/rack-switch-port/${fleet.rack}/switch0/qsfp0/lldp/neighbors`
      break
    case 'loopback_address_create': {
      const at = { rack_id: fleet.rack, switch_slot: 'switch0' }
      draft.body = { address_lot: 'uplinks', ...at, address, mask: 32, anycast: chance.odds(50) }
      break
    }
    case 'loopback_address_delete':
      draft.path = `${network}/loopback-address/${fleet.rack}/switch0/203.0.113.99/32`
      break
    case 'switch_port_settings_create':
      draft.body = uplinkSettings(`settings-${chance.word(6)}`, { address: `${address}/24` })
      break
    case 'switch_port_settings_delete':
      draft.query = [['port_settings', 'unused']]
      break
    case 'address_lot_create':
      draft.body = {
        ...(draft.body as object),
        blocks: [{ first_address: '198.18.0.1', last_address: '198.18.0.9' }],
      }
      break
    case 'address_lot_delete':
      draft.path = `${network}/address-lot/unused`
      break
    case 'bgp_announce_set_delete':
      draft.path = `${network}/bgp-announce-set/unused`
      break
    case 'bgp_config_update':
    case 'bgp_config_delete':
      draft.query = [['name_or_id', 'unused']]
      break
    case 'bfd_enable':
    case 'bfd_disable':
      draft.body = { ...(draft.body as object), switch_slot: 'switch0' }
      break
    case 'multicast_group_view':
    case 'multicast_group_member_list':
    case 'instance_multicast_group_join':
    case 'instance_multicast_group_leave': {
      const member = await bed.db
        .selectFrom('multicast_group_member as m')
        .innerJoin('multicast_group as g', 'g.id', 'm.multicast_group_id')
        .select(['g.name', 'm.instance_id'])
        .executeTakeFirst()
      const isJoining = draft.op.id.endsWith('_join')
      const instance = isJoining ? near('instance')?.id : member?.instance_id
      const group = isJoining ? `news-${chance.word(6)}` : member?.name
      if (!instance || !group || chance.odds(30)) break
      draft.path = draft.op.path.replace('{instance}', instance).replace('{multicast_group}', group)
      draft.query = []
      if (isJoining) draft.body = {}
      break
    }
    case 'allow_list_update':
      // Anything else would keep the other callers out.
      draft.body = { allowed_ips: anyAddress }
      break
    case 'impact_view':
    case 'trial_create':
      draft.body = { type: 'allow_list', allowed_ips: anyAddress }
      break
    case 'trial_confirm':
    case 'trial_revert':
      draft.path = draft.path.replace(/[^/]+(?=\/(confirm|revert)$)/, await runningTrial({ bed }))
      break
  }
}

/** A change that waits for confirmation, and that no job ends. */
async function runningTrial({ bed }: Pick<Scene, 'bed'>): Promise<string> {
  const id = crypto.randomUUID()
  const any = JSON.stringify({ allow: 'any' })
  await bed.db
    .insertInto('network_trial')
    .values({
      id,
      subject: 'allow_list',
      subject_id: crypto.randomUUID(),
      before: any,
      after: any,
      generation: 0,
      state: 'running',
      time_created: new Date(),
      // The scene's clock runs ahead of this host's.
      time_expires: new Date('2099-01-01T00:00:00Z'),
      time_ended: null,
    })
    .execute()
  return id
}
