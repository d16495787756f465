import type { ReactNode } from 'react'
import type { ToastContent } from '#/ui/overlays/toast.ts'
import type { LinkTarget } from '../links/link-target.ts'
import { PageLink } from '../links/PageLink.tsx'

/** A success message with the name emphasised: `Project web created`. The kind may be in lower case. */
export const successMessage = (kind: string, name: string, what: string): ReactNode => (
  <>
    {kind.charAt(0).toUpperCase() + kind.slice(1)} <strong>{name}</strong> {what}
  </>
)

/** The same, with a link to the object: `View project`. */
export const linkedSuccessMessage = (
  kind: string,
  name: string,
  what: string,
  page: LinkTarget,
): ToastContent => ({
  text: successMessage(kind, name, what),
  action: (
    <PageLink {...page} className="link">
      View {kind}
    </PageLink>
  ),
})
