import type { PastListKind } from '@gantry/api/history/past.rules'
import History from 'lucide-react/icons/history'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { useHasExtensions } from '#/kit/page/use-served.ts'
import { buttonClass } from '#/ui/Button.tsx'
import { pastLink } from './links.ts'

interface Props {
  project: string
  kind: PastListKind
  vpc?: string
}

/** Leads from a list to the same list at a moment. */
export function PastLink({ project, kind, vpc }: Props) {
  if (!useHasExtensions()) return null
  return (
    <PageLink {...pastLink(project, kind, vpc)} className={buttonClass()}>
      <History aria-hidden strokeWidth={1.75} className="-mx-0.5 size-4" />
      <span className="max-sm:sr-only">At a moment…</span>
    </PageLink>
  )
}
