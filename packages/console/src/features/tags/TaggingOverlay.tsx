import { lazyPart } from '#/ui/lazy-part.tsx'
import { useStore } from '#/store.ts'
import { openTagging } from './tag-actions.tsx'

const TagsDialog = lazyPart(() => import('./TagsDialog.tsx'), 'TagsDialog')
const BulkTagsDialog = lazyPart(() => import('./BulkTagsDialog.tsx'), 'BulkTagsDialog')
const MatchingTagsDialog = lazyPart(() => import('./BulkTagsDialog.tsx'), 'MatchingTagsDialog')

/** The dialog that edits tags, of one object or of a selection. */
export function TaggingOverlay() {
  const tagging = useStore(openTagging)
  if (!tagging) return null
  const { objects, matching, onSaved, ...rest } = tagging
  const close = () => openTagging.set(undefined)
  if (matching)
    return <MatchingTagsDialog {...rest} {...matching} onDone={() => onSaved?.()} onClose={close} />
  const [object] = objects
  if (objects.length === 1 && object && !onSaved)
    return <TagsDialog {...rest} object={object} onClose={close} />
  return <BulkTagsDialog {...rest} objects={objects} onDone={() => onSaved?.()} onClose={close} />
}
