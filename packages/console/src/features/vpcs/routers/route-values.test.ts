import { expect, test } from 'vitest'
import type { Route } from '../queries.ts'
import {
  changedRoute,
  destinationChoices,
  emptyRoute,
  endsProblem,
  routeBody,
  type RouteValues,
  sameDestination,
  targetChoices,
  valuesOf,
} from './route-values.ts'

const route = (more: Partial<Route>): Route => ({
  id: more.name ?? 'id',
  name: 'dc2',
  description: 'to the other site',
  vpcRouterId: 'router',
  kind: 'custom',
  destination: { type: 'ip_net', value: '10.0.0.0/8' },
  target: { type: 'instance', value: 'proxy' },
  timeCreated: new Date(0),
  timeModified: new Date(0),
  ...more,
})

test('trims addresses and omits the value of an end without one', () => {
  const values: RouteValues = { ...emptyRoute, name: 'dc2', destination: ' 10.0.0.1 ', target: '10.0.0.2 ' }
  expect(routeBody(values)).toEqual({
    name: 'dc2',
    description: '',
    destination: { type: 'ip', value: '10.0.0.1' },
    target: { type: 'ip', value: '10.0.0.2' },
  })
  expect(routeBody({ ...values, targetType: 'drop' })).toHaveProperty('target', { type: 'drop' })
})

test('a route survives the round trip through the form', () => {
  const { name, description, destination, target } = route({})
  expect(changedRoute(route({}), valuesOf(route({})))).toEqual({ name, description, destination, target })
})

test('sends only the target of a default route', () => {
  const byDefault = route({ kind: 'default', destination: { type: 'ip_net', value: '0.0.0.0/0' } })
  expect(changedRoute(byDefault, { ...valuesOf(byDefault), targetType: 'drop' })).toEqual({
    destination: { type: 'ip_net', value: '0.0.0.0/0' },
    target: { type: 'drop' },
  })
})

test("offers the system's choices only on its own routes", () => {
  const labels = (choices: readonly { label: string }[]) => choices.map(({ label }) => label)
  expect(labels(destinationChoices('ip'))).toEqual(['IP', 'IP network', 'Subnet'])
  expect(labels(targetChoices('drop'))).toEqual(['IP', 'Instance', 'Internet gateway', 'Drop'])
  expect(labels(targetChoices('subnet'))).toEqual([
    'IP',
    'Instance',
    'Internet gateway',
    'Drop',
    'VPC subnet',
  ])
})

test('rejects a mix of IP versions', () => {
  const mixed = { ...emptyRoute, destination: '10.0.0.1', target: 'fd00::2' }
  expect(endsProblem(mixed)).toEqual({
    target: 'Cannot mix explicit IPv4 and IPv6 addresses between destination and target',
  })
  expect(endsProblem({ ...mixed, targetType: 'drop' })).toEqual({})
})

const routes = [
  route({ name: 'b', destination: { type: 'ip', value: '10.0.0.1' } }),
  route({ name: 'a', destination: { type: 'ip_net', value: '10.0.0.1/32' } }),
  route({ name: 'c', destination: { type: 'ip_net', value: 'fd00::/8' } }),
  route({ name: 'd', destination: { type: 'subnet', value: 'web' } }),
]
test.each([
  ['ip', '10.0.0.1', undefined, 'a'],
  ['ip', '10.0.0.1', 'a', 'b'],
  ['ip', '10.0.0.2', undefined, undefined],
  ['ip_net', 'fd00:0::7/8', undefined, 'c'],
  ['ip_net', 'fd00::/9', undefined, undefined],
  ['ip_net', 'fd00::', undefined, undefined],
  ['subnet', 'web', undefined, 'd'],
  ['subnet', 'web', 'd', undefined],
  ['subnet', '', undefined, undefined],
] as const)('%s %s of route %s has the destination of route %s', (type, value, ownId, other) =>
  expect(sameDestination({ type, value }, routes, ownId)?.name).toBe(other),
)
