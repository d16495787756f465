import { useRouterState } from '@tanstack/react-router'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { classes } from '#/ui/classes.ts'
import { Truncate } from '#/ui/data/Truncate.tsx'
import { isCurrent, looksCurrent, type NavGroup, type NavItem } from './navigation.ts'

/** The navigation of the current area. */
export function RailGroups({ groups, onGo }: { groups: readonly NavGroup[]; onGo?: () => void }) {
  return (
    <nav aria-label="Sidebar navigation" className="space-y-4">
      {groups.map(({ heading, items }) => (
        <div key={heading?.kind ?? ''}>
          {heading && (
            // The top bar names the silo where it has room.
            <h2
              className={classes(
                'truncate px-2.5 pb-1 text-xs font-medium text-muted',
                heading.kind === 'Silo' && 'md:sr-only',
              )}
            >
              {heading.kind}{' '}
              {heading.name && (
                <b>
                  <Truncate text={heading.name} max={24} />
                </b>
              )}
            </h2>
          )}
          <ul>
            {items.map((item) => (
              <li key={item.label}>
                <RailItem item={item} {...(onGo && { onGo })} />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}

function RailItem({ item, onGo }: { item: NavItem; onGo?: () => void }) {
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const isHighlighted = looksCurrent(item, path)
  return (
    <PageLink
      {...item.link}
      onClick={onGo}
      aria-current={isCurrent(item, path) ? 'page' : undefined}
      className={classes(
        'relative flex h-8 items-center gap-2.5 rounded-control px-2.5 text-sm coarse:h-11',
        isHighlighted ? 'bg-selected font-semibold text-strong' : 'text-text hover:bg-text/7',
      )}
    >
      {isHighlighted && (
        <span
          data-current-edge
          className="absolute inset-y-1.5 -left-2.5 w-[3px] rounded-r-[2px] bg-accent-edge"
        />
      )}
      <item.icon
        aria-hidden
        strokeWidth={1.75}
        className={classes('size-4 shrink-0', isHighlighted ? 'text-accent-text' : 'text-faint')}
      />
      {item.label}
    </PageLink>
  )
}
