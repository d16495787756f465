import { expect, test } from 'vitest'
import { byKind, type ExternalIp, reachableIps } from './queries.ts'

const ephemeral = { kind: 'ephemeral', ip: '192.0.2.1', ipPoolId: 'p' } as const
const snat = { kind: 'snat', ip: '192.0.2.2', ipPoolId: 'p', firstPort: 0, lastPort: 16_383 } as const
const floating = { kind: 'floating', ip: '192.0.2.3' } as ExternalIp

test('floating IPs come first, and a SNAT address is not reachable', () => {
  const all = [snat, ephemeral, floating]
  expect(byKind(all)).toEqual([floating, ephemeral, snat])
  expect(reachableIps(all)).toEqual([floating, ephemeral])
})
