import { CopyableId } from '../../../ui/CopyButton.tsx'
import type { Column } from '../../../ui/Table.tsx'
import { EmptyCell } from '../../../ui/Truncate.tsx'
import { descriptionColumn, plainNameColumn } from '../../common/columns.tsx'
import { Known } from '../../common/Known.tsx'
import { PathLink } from '../../common/PathLink.tsx'
import { instancePaths } from '../../instances/queries.ts'
import { IpPoolName } from '../IpPoolName.tsx'
import type { FloatingIp } from '../queries.ts'
import { holderOf, type Holders } from './use-holders.ts'

export const floatingIpColumns = (project: string, holders: Holders): Column<FloatingIp>[] => [
  plainNameColumn<FloatingIp>(),
  descriptionColumn<FloatingIp>(),
  { id: 'ip', header: 'IP address', part: 'state', cell: ({ ip }) => <CopyableId id={ip} max={39} /> },
  { id: 'pool', header: 'IP pool', part: 'meta', cell: ({ ipPoolId }) => <IpPoolName id={ipPoolId} /> },
  {
    id: 'instance',
    header: 'Attached to instance',
    part: 'meta',
    cell: (floatingIp) =>
      floatingIp.instanceId ? (
        <Known
          of={holderOf(holders, floatingIp)}
          render={({ name }) => (
            <PathLink to={instancePaths.networking(project, name)} className="link">
              {name}
            </PathLink>
          )}
        />
      ) : (
        <EmptyCell />
      ),
  },
]
