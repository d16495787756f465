import type { ReactNode } from 'react'
import { DataItem, DataPlate } from '../../ui/DataPlate.tsx'
import { formatNumber } from '../../ui/format.ts'
import { PathLink } from '../common/PathLink.tsx'
import { WideIdItem } from '../common/plate-items.tsx'
import { ViewPanel } from '../common/ViewPanel.tsx'

interface Props {
  kind: 'User' | 'Group'
  id: string
  name: string
  closeTo: string
  /** Whom it belongs with: the groups of a user, the members of a group. */
  others: { label: string; none: string; links: readonly Other[] | undefined }
  children: ReactNode
}

interface Other {
  id: string
  name: string
  to: string
}

/** As many as anyone reads through. */
const maxLinks = 100

/** A user or a group, to look at: where they belong and what they may do. */
export function PersonPanel({ kind, id, name, closeTo, others, children }: Props) {
  const more = (others.links?.length ?? 0) - maxLinks
  return (
    <ViewPanel title={name} context={kind} closeTo={closeTo}>
      <DataPlate narrow>
        <WideIdItem id={id} />
        <DataItem label={others.label} wide>
          {others.links?.length === 0 && <span className="text-muted">{others.none}</span>}
          {others.links?.slice(0, maxLinks).map((other) => (
            <PathLink key={other.id} to={other.to} over className="link mr-1.5">
              {other.name}
            </PathLink>
          ))}
          {more > 0 && <span className="text-muted">and {formatNumber(more)} more</span>}
        </DataItem>
      </DataPlate>
      {children}
    </ViewPanel>
  )
}
