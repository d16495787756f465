import { lazyPart } from '#/ui/lazy-part.tsx'
import type { RecycledItem } from './queries.ts'

const RestoreDialog = lazyPart(() => import('./RestoreDialog.tsx'), 'RestoreDialog')
const RestoreWholeDialog = lazyPart(() => import('./RestoreWholeDialog.tsx'), 'RestoreWholeDialog')

interface Props {
  item: RecycledItem
  /** With everything that its deletion took: where it stands for all of it, or cannot come back alone. */
  isWhole: boolean
  onClose: () => void
}

/** What restoring an item would do, and the question. */
export function Restore({ item, isWhole, onClose }: Props) {
  const { deletion } = item
  if (deletion && (isWhole || deletion.objectId === item.objectId))
    return <RestoreWholeDialog deletion={deletion} onClose={onClose} />
  return <RestoreDialog item={item} onClose={onClose} />
}
