import { CopyableId } from '../../../ui/CopyButton.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import type { Column } from '../../../ui/Table.tsx'
import { EmptyCell } from '../../../ui/Truncate.tsx'
import { descriptionColumn, plainNameColumn } from '../../common/columns.tsx'
import { PathLink } from '../../common/PathLink.tsx'
import { instancePaths } from '../../instances/queries.ts'
import { PoolName } from '../PoolName.tsx'
import type { FloatingIp, IpPool } from '../queries.ts'
import { holderOf, type Holders } from './use-holders.ts'

interface Known {
  project: string
  pools: readonly IpPool[] | undefined
  holders: Holders
}

export const floatingIpColumns = ({ project, pools, holders }: Known): Column<FloatingIp>[] => [
  plainNameColumn<FloatingIp>(),
  descriptionColumn<FloatingIp>(),
  { id: 'ip', header: 'IP address', part: 'state', cell: ({ ip }) => <CopyableId id={ip} max={39} /> },
  {
    id: 'pool',
    header: 'IP pool',
    part: 'meta',
    cell: ({ ipPoolId }) => <PoolName pools={pools} id={ipPoolId} />,
  },
  {
    id: 'instance',
    header: 'Attached to instance',
    part: 'meta',
    cell: (floatingIp) => <AttachedTo project={project} holders={holders} floatingIp={floatingIp} />,
  },
]

interface AttachedProps extends Pick<Known, 'project' | 'holders'> {
  floatingIp: FloatingIp
}

function AttachedTo({ project, holders, floatingIp }: AttachedProps) {
  if (!floatingIp.instanceId) return <EmptyCell />
  if (holders === 'pending') return <Skeleton />
  const name = holderOf(holders, floatingIp)?.name
  if (!name) return <span className="text-faint">unknown</span>
  return (
    <PathLink to={instancePaths.networking(project, name)} className="link">
      {name}
    </PathLink>
  )
}
