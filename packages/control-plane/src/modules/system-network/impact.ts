import type { AllowedSourceIps } from '@gantry/api/rack-network/network-access'
import { sourceFilter } from '@gantry/api/rack-network/network-access.rules'
import type { NetworkLoss } from '@gantry/api/rack-network/network-trial'
import { stillOpen } from '../../authz/session.ts'
import type { Row } from '../../db/tables.ts'
import { type Configs, peersOf } from '../../fleet/fabric/peers.ts'
import { linksOf, type Port, type Settings } from '../../fleet/fabric/port.ts'
import type { Cx } from '../../context/cx.ts'
import { endsOf, type PreparedSettings } from './settings-contents.ts'
import { configsOf, configuredPorts } from './status.ts'

/** Addresses named one by one; the rest is counted. */
const named = 5

/** Users who are signed in from addresses that the list leaves out. */
export async function lossesOfList(cx: Cx, allowed: AllowedSourceIps): Promise<NetworkLoss[]> {
  const losses: NetworkLoss[] = []
  const own = cx.request.address
  const isAllowed = sourceFilter(allowed)
  if (!isAllowed(own))
    losses.push({ kind: 'access', text: `Your own access: you are at ${own}, which the list leaves out.` })
  const rows = await cx.db
    .selectFrom('console_session as t')
    .select(['address', (eb) => eb.fn.countAll<number>().as('count')])
    .where('address', 'is not', null)
    .where(stillOpen(cx.now()))
    .groupBy('address')
    .orderBy('address')
    .execute()
  const cut = rows.flatMap(({ address, count }) =>
    address !== null && address !== own && !isAllowed(address) ? [{ address, count }] : [],
  )
  for (const { address, count } of cut.slice(0, named))
    losses.push({ kind: 'session', text: `${sessions(count)} from ${address}` })
  if (cut.length > named)
    losses.push({ kind: 'session', text: `Sessions from ${cut.length - named} more addresses` })
  return losses
}

const sessions = (count: number): string => (count === 1 ? '1 session' : `${count} sessions`)

/** The traffic of the port that it would not carry with the other settings. */
export async function lossesOfPort(
  cx: Cx,
  port: Row<'switch_port'>,
  after: Settings | undefined,
): Promise<NetworkLoss[]> {
  const all = await configuredPorts(cx.db)
  const before = all.find((each) => each.port.id === port.id)?.settings
  const configs = await configsOf(cx.db)
  const others = all.filter((each) => each.port.id !== port.id)
  const losses = lossesBetween(cx, port, before, after, configs)
  const remaining = [...others, { port: settled(cx, port), settings: after }]
  return losses.length > 0 ? [...losses, ...lastUplink(cx, remaining)] : []
}

/** The same for every port that uses the settings. */
export async function lossesOfSettings(
  cx: Cx,
  row: Row<'switch_port_settings'>,
  { body, configs: named }: PreparedSettings,
): Promise<NetworkLoss[]> {
  const all = await configuredPorts(cx.db)
  const using = all.filter(({ settings }) => settings.id === row.id)
  const configs = await configsOf(cx.db)
  const after: Settings = {
    ...row,
    contents: {
      ...row.contents,
      port: { ...row.contents.port, geometry: body.port_config.geometry },
      links: body.links.map((link) => ({ ...link, port_settings_id: row.id })),
      addresses: body.addresses.flatMap(({ link_name, addresses }) =>
        addresses.map(({ address, vlan_id }) => ({
          port_settings_id: row.id,
          interface_name: link_name,
          address,
          address_lot_id: '',
          address_lot_name: '',
          address_lot_block_id: '',
          vlan_id: vlan_id ?? null,
        })),
      ),
      bgp_peers: body.bgp_peers.flatMap(({ link_name, peers }) =>
        peers.map(({ md5_auth_key, addr, ...peer }) => ({
          ...peer,
          ...endsOf(addr),
          interface_name: link_name,
          bgp_config: named.get(peer.bgp_config)?.id ?? '',
          md5_key_id: md5_auth_key ? 'new' : null,
        })),
      ),
    },
  }
  const losses = using.flatMap(({ port }) => lossesBetween(cx, port, row, after, configs))
  const remaining = all.map((each) =>
    each.settings.id === row.id ? { port: settled(cx, each.port), settings: after } : each,
  )
  return losses.length > 0 ? [...losses, ...lastUplink(cx, remaining)] : []
}

/** Compares what is up now with what would be up once the new settings have settled. */
function lossesBetween(
  cx: Cx,
  port: Row<'switch_port'>,
  before: Settings | undefined,
  after: Settings | undefined,
  configs: Configs,
): NetworkLoss[] {
  if (!before) return []
  const now = cx.now()
  const portAfter = settled(cx, port)
  const place = `${port.switch_location} ${port.port_name}`
  const linksAfter = linksOf(portAfter, after, now)
  const losses: NetworkLoss[] = []
  for (const { link, state } of linksOf(port, before, now))
    if (
      state === 'up' &&
      !linksAfter.some((each) => each.state === 'up' && each.link.link_name === link.link_name)
    )
      losses.push({ kind: 'link', text: `The link ${link.link_name} of ${place}` })
  const peersAfter = after ? peersOf(portAfter, after, configs, now) : []
  for (const { peer_id, state, exported, imported, config } of peersOf(port, before, configs, now)) {
    if (state !== 'established') continue
    const same = peersAfter.find(
      (each) => each.state === 'established' && each.peer_id === peer_id && each.config.id === config.id,
    )
    if (!same) losses.push({ kind: 'peer', text: `The BGP session with ${peer_id} on ${place}` })
    for (const network of exported.filter((each) => !same?.exported.includes(each)))
      losses.push({ kind: 'announcement', text: `${network} is no longer announced to ${peer_id}` })
    for (const network of imported.filter((each) => !same?.imported.includes(each)))
      losses.push({ kind: 'route', text: `The route to ${network} by ${peer_id}` })
  }
  return losses
}

/** The port once its new settings have settled. */
const settled = (cx: Cx, port: Port): Port => ({
  ...port,
  time_applied: new Date(cx.now().getTime() - 3_600_000),
})

/** If no link stays up, of the changed ports or others, nothing outside reaches the rack. */
function lastUplink(
  cx: Cx,
  remaining: readonly { port: Port; settings: Settings | undefined }[],
): NetworkLoss[] {
  const isUp = remaining.some(({ port, settings }) =>
    linksOf(port, settings, cx.now()).some((each) => each.state === 'up'),
  )
  return isUp ? [] : [{ kind: 'access', text: 'No other uplink is up: the rack would be cut off.' }]
}
