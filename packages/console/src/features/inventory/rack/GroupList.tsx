import { useMemo } from 'react'
import { Card } from '#/ui/Card.tsx'
import { CardEmpty } from '#/ui/CardEmpty.tsx'
import { formatCount } from '#/ui/format-amounts.ts'
import type { SledUse } from '../queries.ts'
import { groupsOf } from './lit.ts'
import { PointChip } from './PointChip.tsx'

/** The anti-affinity groups of the running instances, each with the sleds of its members. */
export function GroupList({ uses }: { uses: readonly SledUse[] }) {
  const groups = useMemo(() => groupsOf(uses), [uses])
  return (
    <Card title="Anti-affinity groups" flush>
      {groups.length === 0 ? (
        <CardEmpty title="No groups">No running instance is in an anti-affinity group.</CardEmpty>
      ) : (
        <ul aria-label="Anti-affinity groups" className="border-t border-line">
          {groups.map(({ id, name, projectName, siloName, serials, members }) => (
            <li key={id} className="border-t border-faint-line px-3.5 py-2 text-sm first:border-t-0">
              <PointChip pointed={{ group: id }} tip={`${siloName} / ${projectName}`}>
                {name}
              </PointChip>
              <p className="mt-1 text-muted wrap-anywhere">
                {siloName} / {projectName}: {formatCount(members, 'instance')} on {serials.join(', ')}
              </p>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
