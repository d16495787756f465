import type { Gateway, GatewayAddress, GatewayPool, Route } from '../queries.ts'
import { routesTo } from './parts.ts'

type Named = Pick<Route, 'name'>

/** The parts of a gateway that affect its deletion and detachments. */
export interface Holdings {
  pools: readonly Pick<GatewayPool, 'internetGatewayId' | 'name'>[]
  addresses: readonly Pick<GatewayAddress, 'internetGatewayId' | 'address'>[]
  routes: readonly Pick<Route, 'name' | 'target'>[]
}

interface Deletion {
  /** The server refuses to delete a gateway with attachments otherwise, and leaves its routes without a target. */
  cascade: boolean
  sentences: string[]
}

/** The objects that are deleted with a gateway. */
export function deletionOf(
  gateway: Pick<Gateway, 'id' | 'name'>,
  { pools, addresses, routes }: Holdings,
): Deletion {
  const isOfGateway = ({ internetGatewayId }: { internetGatewayId: string }) =>
    internetGatewayId === gateway.id
  const attached = [
    ...pools.filter(isOfGateway).map(({ name }) => `IP pool ${name}`),
    ...addresses.filter(isOfGateway).map(({ address }) => `IP address ${address}`),
  ]
  const targeting = routesTo(gateway, routes)
  return {
    cascade: attached.length > 0 || targeting.length > 0,
    sentences: [
      ...(attached.length > 0 ? [`These are detached from it: ${attached.join(', ')}.`] : []),
      ...(targeting.length > 0
        ? [
            `Routes that target it are deleted too: ${namesOf(targeting)}.`,
            'Instances lose outbound access through it.',
          ]
        : []),
    ],
  }
}

/** The consequences of detaching while routes target the gateway: the server refuses it without a cascade. */
export function detachmentOf(
  gateway: Pick<Gateway, 'name'>,
  what: 'IP pool' | 'IP address',
  routes: Holdings['routes'],
): Deletion {
  const targeting = routesTo(gateway, routes)
  if (targeting.length === 0) return { cascade: false, sentences: [] }
  return {
    cascade: true,
    sentences: [
      `Routes lead to this gateway: ${namesOf(targeting)}. Instances whose external address is ${
        what === 'IP pool' ? 'from this IP pool' : 'this one'
      } lose outbound access through it.`,
    ],
  }
}

const namesOf = (routes: readonly Named[]): string => routes.map(({ name }) => name).join(', ')
