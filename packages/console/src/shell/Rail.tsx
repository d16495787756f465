import { useRouterState } from '@tanstack/react-router'
import { listIdAt, preferences, type SavedView } from '#/data/list-preferences.ts'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { searchOfView } from '#/kit/list/view-search.ts'
import { useStore } from '#/store.ts'
import { classes } from '#/ui/classes.ts'
import { Truncate } from '#/ui/data/Truncate.tsx'
import { isCurrent, looksCurrent, type NavGroup, type NavItem } from './navigation.ts'

/** The navigation of the current area. */
export function RailGroups({ groups, onGo }: { groups: readonly NavGroup[]; onGo?: () => void }) {
  const { lists } = useStore(preferences)
  const viewsOf = ({ link }: NavItem) => lists[listIdAt(link.to)]?.views ?? none
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
                <RailItem item={item} views={viewsOf(item)} {...(onGo && { onGo })} />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}

const none: readonly SavedView[] = []

interface ItemProps {
  item: NavItem
  /** Saved views of its list. */
  views: readonly SavedView[]
  onGo?: () => void
}

function RailItem({ item, views, onGo }: ItemProps) {
  const opened = views.find(({ isDefault }) => isDefault)
  const pinned = views.filter(({ isPinned }) => isPinned)
  return (
    <>
      <ItemLink item={item} opened={opened} {...(onGo && { onGo })} />
      {pinned.length > 0 && (
        <ul aria-label={`Saved views of ${item.label}`}>
          {pinned.map((view) => (
            <li key={view.name}>
              <ViewLink item={item} view={view} {...(onGo && { onGo })} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** Below its list, without an icon. */
function ViewLink({ item, view, onGo }: { item: NavItem; view: SavedView; onGo?: () => void }) {
  const isOpen = useRouterState({
    select: ({ location: { pathname, search } }) =>
      isCurrent(item, pathname) && (search as { view?: string }).view === view.name,
  })
  return (
    <PageLink
      {...item.link}
      search={searchOfView(view)}
      onClick={onGo}
      aria-current={isOpen || undefined}
      className={classes(
        'flex h-7 items-center truncate rounded-control pr-2.5 pl-9 text-sm coarse:h-11',
        isOpen ? 'font-semibold text-strong' : 'text-muted hover:bg-text/7 hover:text-text',
      )}
    >
      <Truncate text={view.name} max={24} />
    </PageLink>
  )
}

function ItemLink({
  item,
  opened,
  onGo,
}: {
  item: NavItem
  /** The view that its list opens with. */
  opened: SavedView | undefined
  onGo?: () => void
}) {
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const isHighlighted = looksCurrent(item, path)
  return (
    <PageLink
      {...item.link}
      {...(opened && { search: searchOfView(opened) })}
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
