import { expect, test } from 'vitest'
import { routesTo, whyNoMoreAddresses, whyNoMorePools } from './parts.ts'

test("only routes whose target is the gateway's name lead to it", () => {
  const out = { target: { type: 'internet_gateway', value: 'default' } } as const
  const other = { target: { type: 'internet_gateway', value: 'second' } } as const
  const namesake = { target: { type: 'instance', value: 'default' } } as const
  const drop = { target: { type: 'drop' } } as const
  expect(routesTo({ name: 'default' }, [other, out, namesake, drop])).toEqual([out])
})

const pools = (...ids: string[]) => ids.map((id) => ({ id }))
const attached = (...ids: string[]) => ids.map((ipPoolId) => ({ ipPoolId }))

test.each([
  [attached(), undefined, undefined],
  [undefined, pools('a'), undefined],
  ['unknown' as const, pools('a'), undefined],
  [attached(), pools(), 'No IP pool is linked to this silo'],
  [attached(), null, 'You cannot view the IP pools of this silo'],
  [attached('a'), pools('a', 'b'), undefined],
  [attached('b', 'a'), pools('a', 'b'), 'All IP pools of the silo are attached'],
])('a gateway with pools %j of %j: %s', (of, ofSilo, reason) =>
  expect(whyNoMorePools(of, ofSilo)).toBe(reason),
)

test('a gateway has at most one address', () => {
  const address = {
    id: 'one',
    name: 'fixed',
    description: '',
    timeCreated: new Date(0),
    timeModified: new Date(0),
    internetGatewayId: 'gateway',
    address: '203.0.113.9',
  }
  expect(whyNoMoreAddresses([address])).toBe('A gateway has at most one IP address')
  for (const addresses of [undefined, 'unknown', []] as const)
    expect(whyNoMoreAddresses(addresses)).toBe(undefined)
})
