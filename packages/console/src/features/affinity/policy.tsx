import { Tag } from '#/ui/Tag.tsx'
import { Term } from '#/ui/Term.tsx'
import type { AffinityPolicy } from './queries.ts'

/** The effect of a group's policy. */
export const policyTip =
  'Whether members may start when the anti-affinity rule cannot be satisfied because every available sled already holds a member.'

export const PolicyTerm = () => <Term tip={policyTip}>Policy</Term>

export const PolicyTag = ({ policy }: { policy: AffinityPolicy }) => <Tag mono>{policy}</Tag>

export const TypeTag = () => <Tag>anti-affinity</Tag>
