import type { ReactNode } from 'react'
import { type Deferred, DeferredValue } from '#/kit/page/deferred.tsx'
import type { LinkTarget } from '#/kit/links/link-target.ts'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { WideIdItem } from '#/kit/page/plate-items.tsx'
import { ViewPanel } from '#/kit/page/ViewPanel.tsx'
import { DataItem, DataPlate } from '#/ui/data/DataPlate.tsx'
import { formatNumber } from '#/ui/data/format.ts'

interface Props {
  kind: 'User' | 'Group'
  id: string
  name: string
  closeTo: LinkTarget
  /** The groups of a user, or the members of a group. */
  others: { label: string; none: string; links: Deferred<readonly Other[]> }
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
  return (
    <ViewPanel title={name} context={kind} closeTo={closeTo}>
      <DataPlate narrow>
        <WideIdItem id={id} />
        <DataItem label={others.label} wide>
          <DeferredValue of={others.links} render={(links) => <Others links={links} none={others.none} />} />
        </DataItem>
      </DataPlate>
      {children}
    </ViewPanel>
  )
}

function Others({ links, none }: { links: readonly Other[]; none: string }) {
  if (links.length === 0) return <span className="text-muted">{none}</span>
  const more = links.length - maxLinks
  return (
    <>
      {links.slice(0, maxLinks).map(({ id, name, link }) => (
        <PageLink key={id} {...link} className="link mr-1.5">
          {name}
        </PageLink>
      ))}
      {more > 0 && <span className="text-muted">and {formatNumber(more)} more</span>}
    </>
  )
}
