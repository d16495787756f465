import { actionOf } from '../../change/activity.ts'
import type { ActivityAction } from '@gantry/api/history/activity.rules'
import type { Member } from './member.ts'

export interface Told extends Member {
  told: ActivityAction
}

/**
 * What an entry tells of each of its changes. A list is replaced by deleting what differs and creating it anew: the two
 * are one edit.
 */
export function toldOf(members: readonly Member[]): Told[] {
  const created = new Map(
    members.flatMap((member) => (member.op === 'create' ? [[keyOf(member), member] as const] : [])),
  )
  const replaced = new Set(
    members.flatMap((member) =>
      member.op === 'delete' && created.has(keyOf(member)) ? [keyOf(member)] : [],
    ),
  )
  return members
    .filter((member) => !(member.op === 'create' && replaced.has(keyOf(member))))
    .map((member) => {
      const after = replaced.has(keyOf(member)) ? created.get(keyOf(member))?.after : undefined
      return after ? asTold({ ...member, op: 'update', after }) : asTold(member)
    })
}

/** Names are unique among what a list holds; only what has one can be replaced. */
const keyOf = ({ kind, name, id }: Member): string => `${kind} ${name ?? id}`

const asTold = (member: Member): Told => {
  const { kind, op, before, after, operation, actor } = member
  const action = actionOf({
    kind,
    op,
    before: before ?? undefined,
    after: after ?? undefined,
    operation,
    isPlatform: actor.kind === 'system',
  })
  // It belongs to an entry, so something is told of it.
  return { ...member, told: action ?? 'edited' }
}
