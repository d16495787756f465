import { type ReactNode, useState } from 'react'
import { CopyableId } from '../../ui/CopyButton.tsx'
import { DataItem, DataPlate } from '../../ui/DataPlate.tsx'
import { formatNumber } from '../../ui/format.ts'
import { SideModal } from '../../ui/SideModal.tsx'
import { useClose } from '../common/forms/use-close.ts'
import { wasPushed } from '../common/last-action.ts'
import { PathLink } from '../common/PathLink.tsx'

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
  const close = useClose(closeTo)
  const [animate] = useState(wasPushed)
  const more = (others.links?.length ?? 0) - maxLinks
  return (
    <SideModal title={name} context={kind} animate={animate} onRequestClose={close}>
      <div className="space-y-5.5">
        <DataPlate narrow>
          <DataItem label="ID" wide>
            <CopyableId id={id} max={40} />
          </DataItem>
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
      </div>
    </SideModal>
  )
}
