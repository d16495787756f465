import { defaultRouterLifetime, routerLifetimeMax } from '../../rack-network/bgp.rules.ts'
import { address, type Dated, Inexpressible, isObject, omitted, orNull, ref, reshaped } from '../dated.ts'

/** A peer without an address was one whose address is null, and each named its interface. */
export const typesOfPeers: Dated = {
  version: 2026041600,
  types: {
    BgpPeer: {
      schema: (newer) =>
        reshaped(
          newer,
          ['addr', 'interface_name'],
          {
            interface_name: ref('Name'),
            addr: orNull(address),
            router_lifetime: { type: 'integer', format: 'uint16', minimum: 0, maximum: 65_535 },
          },
          ['addr'],
        ),
      down: (newer) => {
        const addr = newer['addr'] as { type: string; ip?: string; router_lifetime?: number }
        return { ...newer, addr: addr.ip ?? null, router_lifetime: addr.router_lifetime ?? 0 }
      },
      up: (older) => {
        const { addr, router_lifetime: lifetime = defaultRouterLifetime } = older
        const isNumbered = typeof addr === 'string' && addr !== '0.0.0.0' && addr !== '::'
        // What is neither an address nor none is left to the newest schema.
        if (isObject(addr) || (!isNumbered && typeof lifetime !== 'number')) return older
        if (!isNumbered && Number(lifetime) > routerLifetimeMax)
          throw new Inexpressible(
            `the router lifetime of a peer without an address is at most ${routerLifetimeMax} s`,
            'Choose a shorter router lifetime.',
          )
        return {
          ...omitted(older, ['addr', 'router_lifetime']),
          addr: isNumbered
            ? { type: 'numbered', ip: addr }
            : { type: 'unnumbered', router_lifetime: lifetime },
        }
      },
    },
  },
}
