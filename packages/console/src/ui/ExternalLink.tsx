import ArrowUpRight from 'lucide-react/icons/arrow-up-right'
import type { ReactNode } from 'react'

/** A link out of the console, in a new tab. */
export function ExternalLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a className="link inline-flex items-center gap-0.5" href={href} target="_blank" rel="noreferrer">
      {children}
      <ArrowUpRight aria-hidden className="size-3.5" />
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  )
}
