import { descriptionColumn, plainNameColumn } from '#/features/common/columns.tsx'
import { DeferredValue } from '#/features/common/DeferredValue.tsx'
import { PageLink } from '#/features/common/PageLink.tsx'
import { instanceLink } from '#/features/instances/links.ts'
import { CopyableId } from '#/ui/CopyButton.tsx'
import type { Column } from '#/ui/column.ts'
import { EmptyCell } from '#/ui/Truncate.tsx'
import { IpPoolName } from '#/features/ip-pools/IpPoolName.tsx'
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
        <DeferredValue
          of={holderOf(holders, floatingIp)}
          render={({ name }) => (
            <PageLink {...instanceLink(project, name, 'networking')} className="link">
              {name}
            </PageLink>
          )}
        />
      ) : (
        <EmptyCell />
      ),
  },
]
