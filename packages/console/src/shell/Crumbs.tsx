import { type RegisteredRouter, useMatches } from '@tanstack/react-router'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import { RouteAnchor } from '#/kit/links/PageLink.tsx'
import { classes } from '#/ui/classes.ts'
import { type CrumbMatch, entriesOf, visible, parentIndexOf } from './crumbs.ts'

export const useEntries = () =>
  entriesOf(useMatches<RegisteredRouter, readonly CrumbMatch[]>({ select: (matches) => matches }))

/** The breadcrumbs. A narrow screen shows only the parent; the title has the rest. */
export function Crumbs() {
  const crumbs = visible(useEntries())
  const parentIndex = parentIndexOf(crumbs)
  if (crumbs.length === 0) return <div className="grow" />
  return (
    <nav aria-label="Breadcrumbs" className="min-w-0 grow">
      <ol className="flex min-w-0 items-center gap-0.5 whitespace-nowrap">
        {crumbs.map(({ label, href }, index) => (
          <li
            key={`${href} ${label}`}
            className={classes(
              'flex min-w-0 items-center gap-0.5',
              index !== parentIndex && 'max-md:hidden',
              shrink(index, crumbs.length),
            )}
          >
            {index > 0 && (
              <span aria-hidden className="px-0.5 text-faint max-md:hidden">
                /
              </span>
            )}
            <RouteAnchor
              href={href}
              aria-current={index === crumbs.length - 1 ? 'page' : undefined}
              className={classes(
                'wash truncate rounded-control px-1.5 py-1 text-sm hover:text-strong max-md:text-base max-md:text-strong max-md:leading-9',
                index === crumbs.length - 1 ? 'font-medium text-strong' : 'text-muted',
              )}
            >
              {crumbs.length > 1 && (
                <ChevronLeft aria-hidden className="-mt-0.5 mr-1 -ml-1 inline size-4 md:hidden" />
              )}
              {label}
            </RouteAnchor>
          </li>
        ))}
      </ol>
    </nav>
  )
}

/** Middle entries shrink first; the last keeps at least 12 characters. */
function shrink(index: number, count: number): string {
  if (index === count - 1) return 'shrink min-w-[min(12ch,max-content)]'
  return index === 0 ? 'shrink-2' : 'shrink-999'
}
