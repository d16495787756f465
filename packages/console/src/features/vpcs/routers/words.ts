import { routeEdits } from '@gantry/api/network/vpc-router.rules'
import type { Route, Router } from '../queries.ts'

export const whyNotDeleteRouter = (kind: Router['kind']): string | undefined =>
  kind === 'system' ? 'System routers cannot be deleted' : undefined

export const whyNoMoreRoutes = (kind: Router['kind']): string | undefined =>
  kind === 'system' ? 'User-provided routes cannot be added to a system router' : undefined

export const whyNotEditRoute = (kind: Route['kind']): string | undefined =>
  routeEdits[kind] === 'nothing' ? 'VPC subnet routes within the system router cannot be modified' : undefined

export const whyNotDeleteRoute = (kind: Router['kind']): string | undefined =>
  kind === 'system' ? 'System routes cannot be deleted' : undefined

type EndType = Route['destination']['type'] | Route['target']['type']

/** The labels of a route's ends, beside their values. */
export const endWords: Readonly<Record<EndType, string>> = {
  ip: 'IP',
  ip_net: 'IP network',
  instance: 'Instance',
  internet_gateway: 'Gateway',
  subnet: 'VPC subnet',
  vpc: 'VPC',
  drop: 'Drop',
}
