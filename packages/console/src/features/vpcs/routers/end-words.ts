import type { Route } from '../queries.ts'

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
