import { useQuery } from '@tanstack/react-query'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { DeferredValue } from '#/kit/page/deferred.tsx'
import { instanceLink } from '#/features/instances/links.ts'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import { EmptyCell } from '#/ui/data/Truncate.tsx'
import { holderOf, type Holders } from '../holders.ts'
import { allSubnetPools, type ExternalSubnet } from './queries.ts'

/** The name of a pool given by its id, if the silo may use that pool. */
export function SubnetPoolName({ id }: { id: string }) {
  const { data: pools, isPending } = useQuery(allSubnetPools)
  if (isPending) return <Skeleton />
  return pools?.find((each) => each.id === id)?.name ?? <EmptyCell />
}

interface HolderProps {
  project: string
  holders: Holders
  of: ExternalSubnet
}

/** The instance that a block is attached to. */
export const HolderName = ({ project, holders, of }: HolderProps) =>
  of.instanceId ? (
    <DeferredValue
      of={holderOf(holders, of)}
      render={({ name }) => (
        <PageLink {...instanceLink(project, name, 'networking')} className="link">
          {name}
        </PageLink>
      )}
    />
  ) : (
    <EmptyCell />
  )
