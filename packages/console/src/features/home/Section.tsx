import { type ReactNode, useId } from 'react'
import type { LinkTarget } from '#/kit/links/link-target.ts'
import { PageLink } from '#/kit/links/PageLink.tsx'

interface Props {
  title: string
  /** The page that shows the rest. */
  all?: LinkTarget
  children: ReactNode
}

/** A part of the home, with a way to the page of the same. */
export function Section({ title, all, children }: Props) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="rounded-block border border-line bg-page">
      <div className="flex items-baseline justify-between gap-2 px-3.5 pt-3 pb-2">
        <h2 id={id} className="text-base">
          {title}
        </h2>
        {all && (
          <PageLink {...all} className="link text-sm" aria-label={`View all: ${title}`}>
            View all
          </PageLink>
        )}
      </div>
      {children}
    </section>
  )
}

/** A line of a section. */
export const rowClass =
  'flex min-h-9 items-center gap-2 border-t border-faint-line px-3.5 py-1.5 text-sm coarse:min-h-11'
