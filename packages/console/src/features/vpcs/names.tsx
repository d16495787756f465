import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import { Tag } from '#/ui/data/Tag.tsx'
import { subnetsOf, vpcById } from './queries.ts'
import { vpcLink } from './links.ts'

const deleted = <Tag>Deleted</Tag>

// All interfaces of an instance are in one VPC, so these need one request for all of them.

interface VpcProps {
  project: string
  id: string
  missing?: ReactNode
}

/** The name of a VPC given by its id, as a link to its page. */
export function VpcName({ project, id, missing = deleted }: VpcProps) {
  const { data, isError } = useQuery(vpcById(id))
  if (isError) return missing
  if (!data) return <Skeleton />
  return (
    <PageLink {...vpcLink(project, data.name)} className="link">
      {data.name}
    </PageLink>
  )
}

/** The name of a subnet, from the list of its VPC's subnets. */
export function SubnetName({ vpcId, id }: { vpcId: string; id: string }) {
  const { data, isError } = useQuery(subnetsOf(vpcId))
  if (!data && !isError) return <Skeleton />
  return data?.find((subnet) => subnet.id === id)?.name ?? deleted
}
