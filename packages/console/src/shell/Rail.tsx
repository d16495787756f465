import { useRouterState } from '@tanstack/react-router'
import { listIdAt, preferences } from '#/data/list-preferences.ts'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { type NamedView, searchOfView } from '#/kit/list/view-search.ts'
import { useStore } from '#/store.ts'
import { classes } from '#/ui/classes.ts'
import { Truncate } from '#/ui/data/Truncate.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { isCurrent, looksCurrent, type NavGroup, type NavItem } from './navigation.ts'

const PinnedViews = lazyPart(() => import('./PinnedViews.tsx'), 'PinnedViews')

/** The navigation of the current area. */
export function RailGroups({ groups, onGo }: { groups: readonly NavGroup[]; onGo?: () => void }) {
  const { lists } = useStore(preferences)
  /** Of a page in a project the shared ones of that project, and of others those of the silo. */
  const viewsOf = ({ link }: NavItem): readonly NamedView[] => {
    const { views = none, sharedViews = none } = lists[listIdAt(link.to)] ?? {}
    const project = (link.params as { project?: string } | undefined)?.project ?? null
    return [...sharedViews.filter(({ projectName }) => projectName === project), ...views]
  }
  const hasShared = Object.values(lists).some(({ sharedViews }) => sharedViews.length > 0)
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
                <RailItem
                  item={item}
                  views={viewsOf(item)}
                  isOfSeveral={hasShared && item.link.to === '/all/instances'}
                  {...(onGo && { onGo })}
                />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}

const none: readonly never[] = []

interface ItemProps {
  item: NavItem
  /** Saved views of its list. */
  views: readonly NamedView[]
  /** It stands for further lists, which may have shared views. */
  isOfSeveral: boolean
  onGo?: () => void
}

function RailItem({ item, views, isOfSeveral, onGo }: ItemProps) {
  const opened = views.find(({ isDefault }) => isDefault)
  const pinned = views.filter(({ isPinned }) => isPinned)
  return (
    <>
      <ItemLink item={item} opened={opened} {...(onGo && { onGo })} />
      {(pinned.length > 0 || isOfSeveral) && (
        // What follows stays where it is.
        <div style={{ minHeight: `${1.75 * pinned.length}rem` }}>
          <PinnedViews item={item} views={pinned} isOfSeveral={isOfSeveral} {...(onGo && { onGo })} />
        </div>
      )}
    </>
  )
}

function ItemLink({
  item,
  opened,
  onGo,
}: {
  item: NavItem
  /** The view that its list opens with. */
  opened: NamedView | undefined
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
