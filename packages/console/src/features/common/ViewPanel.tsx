import { type ReactNode, useState } from 'react'
import { SideModal } from '#/ui/SideModal.tsx'
import { useClose } from './forms/use-close.ts'
import { wasPushed } from './last-action.ts'
import type { LinkTarget } from './link-target.ts'

interface Props {
  title: ReactNode
  context: string
  /** The list behind, or what leads back to it. */
  closeTo: LinkTarget | (() => void)
  children: ReactNode
}

/** The panel at the right in which a thing is looked at; a route over its list, as its form would be. */
export function ViewPanel({ title, context, closeTo, children }: Props) {
  const close = useClose(closeTo)
  const [animate] = useState(wasPushed)
  return (
    <SideModal title={title} context={context} animate={animate} onRequestClose={close}>
      <div className="space-y-5.5">{children}</div>
    </SideModal>
  )
}
