import Copy from 'lucide-react/icons/copy'
import History from 'lucide-react/icons/history'
import Trash2 from 'lucide-react/icons/trash-2'
import { copyText } from '#/ui/copy-text.ts'
import type { MenuAction, MenuEntry, MenuLinkProps } from '#/ui/overlays/Menu.tsx'
import type { LinkTarget } from '../links/link-target.ts'
import { PageLink } from '../links/PageLink.tsx'

/** An entry of a row's menu. `Delete` is red and comes last, behind a rule; `disabled` is the reason. */
export type RowAction = Omit<MenuAction, 'link' | 'href'> & {
  /** A page to open, instead of `onSelect`. */
  link?: LinkTarget
  /** The page is a form that opens over this list. */
  over?: boolean
}

/** Entries of a row's menu after `Copy ID`, in lifecycle order; 'rule' separates. */
export type ActionsOf<Item> = (row: Item) => readonly (RowAction | 'rule')[]

/** The entries of a row's menu: copy the id, its activity, then the actions, then delete. */
export function rowMenu(
  id: string,
  copyLabel: string,
  actions: readonly (RowAction | 'rule')[],
  activity?: LinkTarget,
): MenuEntry[] {
  const rest = actionMenu(actions)
  return [
    { label: copyLabel, icon: <Copy aria-hidden strokeWidth={1.75} />, onSelect: () => void copyText(id) },
    ...(activity
      ? [
          menuEntry({
            label: 'View activity',
            icon: <History aria-hidden strokeWidth={1.75} />,
            link: activity,
          }),
        ]
      : []),
    ...(rest.length > 0 ? (['rule', ...rest] as const) : []),
  ]
}

/** The same without `Copy ID`, for pages that show the id. */
export function actionMenu(actions: readonly (RowAction | 'rule')[]): MenuEntry[] {
  const others = actions.filter((entry) => !isDelete(entry)).map(menuEntry)
  const deletes = actions.filter(isDelete).map(menuEntry)
  return others.length > 0 && deletes.length > 0 ? [...others, 'rule', ...deletes] : [...others, ...deletes]
}

const isDelete = (entry: RowAction | 'rule'): entry is RowAction =>
  entry !== 'rule' && entry.label.toLowerCase() === 'delete'

function menuEntry(action: RowAction | 'rule'): MenuEntry {
  if (action === 'rule') return action
  const { link, over = false, ...entry } = action
  if (isDelete(action)) {
    return { icon: <Trash2 aria-hidden strokeWidth={1.75} />, ...entry, danger: true }
  }
  if (!link) return entry
  return {
    ...entry,
    link: (props: MenuLinkProps) => <PageLink {...link} over={over} {...props} />,
  }
}
