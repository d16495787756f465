import type { ReactNode } from 'react'
import type { LinkTarget } from '#/features/common/link-target.ts'
import { PageLink } from '#/features/common/PageLink.tsx'
import { WideIdItem } from '#/features/common/plate-items.tsx'
import { ViewPanel } from '#/features/common/ViewPanel.tsx'
import { DataItem, DataPlate } from '#/ui/DataPlate.tsx'
import { formatNumber } from '#/ui/format.ts'

interface Props {
  kind: 'User' | 'Group'
  id: string
  name: string
  closeTo: LinkTarget
  /** The groups of a user, or the members of a group. */
  others: { label: string; none: string; links: readonly Other[] | undefined }
  children: ReactNode
}

interface Other {
  id: string
  name: string
  link: LinkTarget
}

/** More than anyone reads. */
const maxLinks = 100

/** A read-only panel for a user or a group: memberships and permissions. */
export function PersonPanel({ kind, id, name, closeTo, others, children }: Props) {
  const more = (others.links?.length ?? 0) - maxLinks
  return (
    <ViewPanel title={name} context={kind} closeTo={closeTo}>
      <DataPlate narrow>
        <WideIdItem id={id} />
        <DataItem label={others.label} wide>
          {others.links?.length === 0 && <span className="text-muted">{others.none}</span>}
          {others.links?.slice(0, maxLinks).map((other) => (
            <PageLink key={other.id} {...other.link} over className="link mr-1.5">
              {other.name}
            </PageLink>
          ))}
          {more > 0 && <span className="text-muted">and {formatNumber(more)} more</span>}
        </DataItem>
      </DataPlate>
      {children}
    </ViewPanel>
  )
}
