// @chunk affinity-shared: every user of its operations needs this.
import type { AffinityFamily } from '@gantry/api/compute/affinity.rules'
import type { ReactNode } from 'react'
import { Tag } from '#/ui/data/Tag.tsx'
import { Term } from '#/ui/data/Term.tsx'
import type { AffinityPolicy } from './queries.ts'

/** In lower case, for titles and messages. */
export const kindOf = (family: AffinityFamily): string => `${family} group`

/** The kind of a family's groups in requests about objects of any kind. */
export const taggedKindOf = { affinity: 'affinity-group', 'anti-affinity': 'anti-affinity-group' } as const

/** The effect of a group's policy. */
export const policyTips: Readonly<Record<AffinityFamily, string>> = {
  'anti-affinity':
    'Whether members may start when the anti-affinity rule cannot be satisfied because every available sled already holds a member.',
  affinity:
    'Whether members may start when the affinity rule cannot be satisfied because the sled of the other members is full.',
}

/** A success message: `Member web removed from anti-affinity group pair`. */
export const memberMessage = (
  family: AffinityFamily,
  instance: string,
  what: 'added to' | 'removed from',
  group: string,
): ReactNode => (
  <>
    Member <strong>{instance}</strong> {what} {kindOf(family)} <strong>{group}</strong>
  </>
)

export const PolicyTerm = ({ family }: { family: AffinityFamily }) => (
  <Term tip={policyTips[family]}>Policy</Term>
)

export const PolicyTag = ({ policy }: { policy: AffinityPolicy }) => <Tag mono>{policy}</Tag>

export const TypeTag = ({ family }: { family: AffinityFamily }) => <Tag>{family}</Tag>
