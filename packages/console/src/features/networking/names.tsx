import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Tag } from '../../ui/Tag.tsx'
import { subnetsOf, vpcById } from './queries.ts'

const deleted = <Tag>Deleted</Tag>

// All interfaces of an instance are in one VPC, so these ask once for all of them.

/** The name of a VPC that is known by its id. */
export function VpcName({ id, missing = deleted }: { id: string; missing?: ReactNode }) {
  const { data, isError } = useQuery(vpcById(id))
  if (isError) return missing
  return data ? data.name : <Skeleton />
}

/** The name of a subnet, out of all that its VPC has. */
export function SubnetName({ vpcId, id }: { vpcId: string; id: string }) {
  const { data, isError } = useQuery(subnetsOf(vpcId))
  if (!data && !isError) return <Skeleton />
  return data?.find((subnet) => subnet.id === id)?.name ?? deleted
}
