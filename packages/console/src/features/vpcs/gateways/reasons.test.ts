import { expect, test } from 'vitest'
import { whyNoMoreAddresses, whyNoMorePools } from './reasons.ts'

const pools = (...ids: string[]) => ids.map((id) => ({ id }))
const attached = (...ids: string[]) => ids.map((ipPoolId) => ({ ipPoolId }))

test.each([
  [attached(), undefined, undefined],
  [undefined, pools('a'), undefined],
  ['unknown' as const, pools('a'), undefined],
  [attached(), pools(), 'No IP pool is linked to this silo'],
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
