import type { RefusedAddress } from '@gantry/control-plane/fleet/networks'
import type { AddressHolder } from './host-routes.ts'
import { tagOfLink } from './names.ts'

/** Tells users why an external address that is in use on this host is refused. */
export function refusalOf(ip: string, { device, isHost }: AddressHolder): RefusedAddress {
  if (isHost)
    return {
      ip,
      message: `${ip} is an address of the host itself.`,
      next_step: 'Remove it from the ranges of its IP pool, and attach another address.',
    }
  if (tagOfLink(device) !== undefined)
    return {
      ip,
      message: `Another installation on the same host uses ${ip}.`,
      next_step:
        'Attach another address, or detach it there: it is taken over within a minute. What an installation that no ' +
        'longer runs has left goes by `gantry fleet clean` on the host.',
    }
  return {
    ip,
    message: `The host has a route of its own for ${ip}, by ${device}.`,
    next_step:
      'Attach another address, or have an operator remove the route: the address then works within a minute.',
  }
}
