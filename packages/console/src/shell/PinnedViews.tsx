// @chunk apart: for those who pinned views.
import { useRouterState } from '@tanstack/react-router'
import { type ChosenView, preferences } from '#/data/list-preferences.ts'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { type NamedView, searchOfView, viewKey } from '#/kit/list/view-search.ts'
import { useStore } from '#/store.ts'
import { classes } from '#/ui/classes.ts'
import { Truncate } from '#/ui/data/Truncate.tsx'
import { isCurrent, type NavItem } from './navigation.ts'

interface Props {
  item: NavItem
  /** Pinned views of its list. */
  views: readonly NamedView[]
  isOfSeveral: boolean
  onGo?: () => void
}

/** Pinned views, below the entry of their list. */
export function PinnedViews({ item, views, isOfSeveral, onGo }: Props) {
  const { lists } = useStore(preferences)
  const further: FurtherView[] = isOfSeveral
    ? Object.entries(lists).flatMap(([list, { sharedViews }]) =>
        hasOwnEntry.test(list)
          ? []
          : sharedViews
              .filter(({ isPinned, projectName }) => isPinned && projectName === null)
              .map((view) => ({ ...view, list })),
      )
    : []
  const all = [...views, ...further]
  if (all.length === 0) return null
  return (
    <ul aria-label={`Saved views of ${item.label}`}>
      {all.map((view) => (
        <li key={viewKey(view)}>
          <ViewLink item={item} view={view} {...(onGo && { onGo })} />
        </li>
      ))}
    </ul>
  )
}

/** Of a list across projects. */
type FurtherView = ChosenView & { list: string }
const hasOwnEntry = /^(instances|images)$/

function ViewLink({ item, view, onGo }: { item: NavItem; view: NamedView | FurtherView; onGo?: () => void }) {
  const isOpen = useRouterState({
    select: ({ location: { pathname, search } }) =>
      isCurrent(item, pathname) && (search as { view?: string }).view === viewKey(view),
  })
  // The lists across projects have paths of their ids.
  const link = 'list' in view ? { to: `/all/${view.list}` as '/all/instances' } : item.link
  return (
    <PageLink
      {...link}
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
