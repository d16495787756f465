import { expect, test } from 'vitest'
import { deletionOf, detachmentOf, type Holdings } from './consequences.ts'

const gateway = { id: 'one', name: 'edge' }
const route = (name: string, value: string) => ({
  name,
  target: { type: 'internet_gateway' as const, value },
})
const nothing: Holdings = { pools: [], addresses: [], routes: [] }

test('a gateway without contents is deleted without a cascade', () =>
  expect(
    deletionOf(gateway, {
      pools: [{ internetGatewayId: 'other', name: 'theirs' }],
      addresses: [{ internetGatewayId: 'other', address: '203.0.113.1' }],
      routes: [route('elsewhere', 'other')],
    }),
  ).toEqual({ cascade: false, sentences: [] }))

test('a deletion names attachments and routes', () =>
  expect(
    deletionOf(gateway, {
      pools: [{ internetGatewayId: 'one', name: 'external' }],
      addresses: [{ internetGatewayId: 'one', address: '203.0.113.1' }],
      routes: [route('out', 'edge'), route('elsewhere', 'other'), route('away', 'edge')],
    }),
  ).toEqual({
    cascade: true,
    sentences: [
      'These are detached from it: IP pool external, IP address 203.0.113.1.',
      'Routes that target it are deleted too: out, away.',
      'Instances lose outbound access through it.',
    ],
  }))

test.each([
  ['IP pool', 'Instances whose external address is from this IP pool lose outbound access through it.'],
  ['IP address', 'Instances whose external address is this one lose outbound access through it.'],
] as const)('detaching an %s cascades only while routes lead to the gateway', (what, loss) => {
  expect(detachmentOf(gateway, what, nothing.routes)).toEqual({ cascade: false, sentences: [] })
  expect(detachmentOf(gateway, what, [route('out', 'edge')])).toEqual({
    cascade: true,
    sentences: [`Routes lead to this gateway: out. ${loss}`],
  })
})
