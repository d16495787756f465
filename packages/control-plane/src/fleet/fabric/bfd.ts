import type { BfdState } from '@gantry/api/rack-network/bgp.rules'
import { netContains, parseIp, parseIpNet } from '@gantry/api/base/ip.rules'
import type { Row } from '../../db/tables.ts'
import { isOver } from '../../context/time.ts'
import { neighborAddress } from './neighbor.ts'
import { linksOf, type Port, type Settings } from './port.ts'

/** How long both ends need to agree on a session. */
const handshakeMs = 1000

export interface Configured {
  port: Port
  settings: Settings
}

/** The routers answer on every link that is up; nothing else answers. */
export function bfdStateOf(
  session: Pick<Row<'bfd_session'>, 'switch' | 'remote' | 'local' | 'time_created'>,
  ports: readonly Configured[],
  now: Date,
): BfdState {
  const remote = parseIp(session.remote)
  for (const { port, settings } of ports) {
    if (port.switch_location !== session.switch || !remote) continue
    for (const { link, state, since } of linksOf(port, settings, now)) {
      const own = settings.contents.addresses.find(({ interface_name, address }) => {
        const net = parseIpNet(address)
        return interface_name === link.link_name && net !== undefined && netContains(net, remote)
      })
      if (state !== 'up' || !own || neighborAddress(own.address) !== session.remote) continue
      if (session.local !== null && !own.address.startsWith(`${session.local}/`)) continue
      const began = Math.max(since.getTime(), session.time_created.getTime())
      return isOver(began, now.getTime(), handshakeMs) ? 'up' : 'init'
    }
  }
  return 'down'
}
