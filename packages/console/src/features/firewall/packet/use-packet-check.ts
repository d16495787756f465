import type { InputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { hashKey, type QueryKey, useQuery } from '@tanstack/react-query'
import { isAbsent } from '#/data/extensions.ts'
import { opQuery } from '#/data/queries.ts'
import type { Rule } from '../rule.ts'
import { type PacketValues, questionOf } from './packet-values.ts'

/** Checks a packet, and again whenever the network changes. */
export function usePacketCheck(
  project: string,
  vpc: string,
  values: PacketValues | undefined,
  rules?: readonly Rule[],
) {
  const question = questionOf(values ?? emptyPacket)
  const body = rules ? { ...question, rules: [...rules] } : question
  const check = opQuery(op.vpcPacketCheck, { query: { project, vpc }, body })
  return useQuery({
    ...check,
    // The verdict stays while other rules are evaluated, but not beside another packet.
    placeholderData: (previous, before) =>
      before && isForSamePacket(before.queryKey, check.queryKey) ? previous : undefined,
    enabled: values !== undefined,
  })
}

/** Whether two checks differ in their rules at most. */
export const isForSamePacket = (one: QueryKey, other: QueryKey): boolean =>
  hashKey(withoutRules(one)) === hashKey(withoutRules(other))

function withoutRules([name, input]: QueryKey): QueryKey {
  const { query, body } = input as Pick<InputOf<'vpcPacketCheck'>, 'query' | 'body'>
  return [name, { query, body: { ...body, rules: undefined } }]
}

const emptyPacket: PacketValues = {
  fromType: 'internet',
  from: '',
  toType: 'internet',
  to: '',
  protocol: 'tcp',
  port: '1',
  icmpType: '',
  icmpCode: '',
}

/** Whether the server can evaluate rules. Finds out with a check whose result is ignored. */
export function useCanCheck(project: string, vpc: string): boolean {
  const { isSuccess } = useQuery({
    ...opQuery(op.vpcPacketCheck, { query: { project, vpc }, body: questionOf(emptyPacket) }),
    meta: {},
    enabled: !isAbsent(op.vpcPacketCheck),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return isSuccess
}
