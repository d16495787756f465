import type { AffinityFamily } from '@gantry/api/affinity.rules'
import { Tag } from '#/ui/Tag.tsx'
import { Term } from '#/ui/Term.tsx'
import type { AffinityPolicy } from './queries.ts'
import { policyTips } from './words.ts'

export const PolicyTerm = ({ family }: { family: AffinityFamily }) => (
  <Term tip={policyTips[family]}>Policy</Term>
)

export const PolicyTag = ({ policy }: { policy: AffinityPolicy }) => <Tag mono>{policy}</Tag>

export const TypeTag = ({ family }: { family: AffinityFamily }) => <Tag>{family}</Tag>
