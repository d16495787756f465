import type { Route } from '../queries.ts'

type EndType = Route['destination']['type'] | Route['target']['type']

/** What the two ends of a route are called beside their values. */
export const endWords: Readonly<Record<EndType, string>> = {
  ip: 'IP',
  ip_net: 'IP network',
  instance: 'Instance',
  internet_gateway: 'Gateway',
  subnet: 'VPC subnet',
  vpc: 'VPC',
  drop: 'Drop',
}
