import { type ReactNode, useState } from 'react'
import { SideModal } from '#/ui/overlays/SideModal.tsx'
import type { LinkTarget } from '../links/link-target.ts'
import { useClose, wasPushed } from './panel-route.ts'

interface Props {
  title: ReactNode
  context: string
  /** The list behind the panel, or a function that returns to it. */
  closeTo: LinkTarget | (() => void)
  children: ReactNode
}

/** A read-only panel at the right: a route over its list, like a form. */
export function ViewPanel({ title, context, closeTo, children }: Props) {
  const close = useClose(closeTo)
  const [animate] = useState(wasPushed)
  return (
    <SideModal title={title} context={context} animate={animate} onRequestClose={close}>
      <div className="space-y-5.5">{children}</div>
    </SideModal>
  )
}
