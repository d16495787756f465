import Copy from 'lucide-react/icons/copy'
import Trash2 from 'lucide-react/icons/trash-2'
import { copyText } from '../../ui/copy-text.ts'
import type { MenuEntry, MenuLinkProps } from '../../ui/Menu.tsx'
import { PathLink } from './PathLink.tsx'
import type { RowAction } from './ResourceTable.tsx'

/** The entries of a row's menu: copying its id, then what can be done with it, then what deletes it. */
export function rowMenu(
  id: string,
  copyLabel: string,
  actions: readonly (RowAction | 'rule')[],
): MenuEntry[] {
  const others = actions.filter((entry) => !isDelete(entry))
  const deletes = actions.filter(isDelete)
  return [
    { label: copyLabel, icon: <Copy aria-hidden strokeWidth={1.75} />, onSelect: () => void copyText(id) },
    ...(others.length > 0 ? (['rule', ...others.map(menuEntry)] as const) : []),
    ...(deletes.length > 0 ? (['rule', ...deletes.map(menuEntry)] as const) : []),
  ]
}

const isDelete = (entry: RowAction | 'rule'): entry is RowAction =>
  entry !== 'rule' && entry.label.toLowerCase() === 'delete'

function menuEntry(action: RowAction | 'rule'): MenuEntry {
  if (action === 'rule') return action
  const { to, search, over = false, ...entry } = action
  if (isDelete(action)) {
    return { icon: <Trash2 aria-hidden strokeWidth={1.75} />, ...entry, danger: true }
  }
  if (to === undefined) return entry
  return {
    ...entry,
    link: (props: MenuLinkProps) => <PathLink to={to} search={search} over={over} {...props} />,
  }
}
