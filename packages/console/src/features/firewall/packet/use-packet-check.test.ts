import * as op from '@gantry/api/client/operations.gen'
import { expect, test } from 'vitest'
import { opQuery } from '#/data/queries.ts'
import { type PacketValues, noPacket, questionOf } from './packet-values.ts'
import { isForSamePacket } from './use-packet-check.ts'

const web: PacketValues = { ...noPacket, to: 'web', port: '443' }

const keyOf = (values: PacketValues, more: object = {}, vpc = 'default') =>
  opQuery(op.vpcPacketCheck, {
    query: { project: 'atlas', vpc },
    body: { ...questionOf(values), ...more },
  }).queryKey

test('a verdict stays while other rules are evaluated, but not beside another packet', () => {
  expect(isForSamePacket(keyOf(web, { rules: [] }), keyOf(web))).toBe(true)
  expect(isForSamePacket(keyOf({ ...web, port: '22' }), keyOf(web))).toBe(false)
  expect(isForSamePacket(keyOf(web, {}, 'other'), keyOf(web))).toBe(false)
})
