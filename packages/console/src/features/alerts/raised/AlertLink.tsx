import { useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { raisedLink } from './search.ts'

/** Opens an alert beside the filtered list. */
export function AlertLink({ id, children }: { id: string; children: ReactNode }) {
  const search = useSearch({ strict: false })
  return (
    <PageLink {...raisedLink({ ...search, alert: id })} over className="name">
      {children}
    </PageLink>
  )
}
