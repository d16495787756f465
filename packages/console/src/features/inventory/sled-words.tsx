import { StatePlate } from '#/ui/StatePlate.tsx'
import { Tag } from '#/ui/Tag.tsx'
import { EmptyCell } from '#/ui/Truncate.tsx'
import type { PhysicalDisk, Sled, SledUse } from './queries.ts'

export const isProvisionable = ({ policy }: Pick<Sled, 'policy'>): boolean =>
  policy.kind === 'in_service' && policy.provisionPolicy === 'provisionable'

export const PolicyKindTag = ({ policy }: Pick<PhysicalDisk, 'policy'> | Pick<Sled, 'policy'>) => (
  <Tag>{policy.kind === 'in_service' ? 'In service' : 'Expunged'}</Tag>
)

export function ProvisionPolicyTag(sled: Pick<Sled, 'policy'>) {
  if (sled.policy.kind === 'expunged') return <EmptyCell />
  return <Tag>{isProvisionable(sled) ? 'Provisionable' : 'Not provisionable'}</Tag>
}

/** The most important fact about a sled for an operator. */
export function SledHealth({ sled, isLost, drainId }: Pick<SledUse, 'sled' | 'isLost' | 'drainId'>) {
  if (sled.policy.kind === 'expunged') return <StatePlate family="gone">Expunged</StatePlate>
  if (isLost) return <StatePlate family="fail">Lost</StatePlate>
  if (drainId !== null) return <StatePlate family="busy">Draining</StatePlate>
  if (sled.state === 'decommissioned') return <StatePlate family="gone">Decommissioned</StatePlate>
  return <StatePlate family="ok">Active</StatePlate>
}
