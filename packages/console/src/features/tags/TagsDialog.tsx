// @chunk tag-forms: of the dialogs that edit tags, which open on demand.
import * as op from '@gantry/api/client/operations.gen'
import { isReserved, type TaggedKind } from '@gantry/api/tags/tag.rules'
import { useQuery } from '@tanstack/react-query'
import { useOp } from '#/data/use-op.ts'
import { successMessage } from '#/kit/feedback/success-message.tsx'
import { DialogForm } from '#/kit/forms/DialogForm.tsx'
import { SectionError } from '#/kit/page/SectionError.tsx'
import { kindWord } from '#/kit/page/stored-values.ts'
import { Dialog } from '#/ui/overlays/Dialog.tsx'
import { Spinner } from '#/ui/feedback/Spinner.tsx'
import { type Tag, type Tags, tagsView } from './queries.ts'
import { filledIn, TagFields } from './TagFields.tsx'
import { TagLabel } from './TagLabel.tsx'

interface Props {
  kind: TaggedKind
  object: { id: string; name: string }
  project: string | undefined
  onClose: () => void
}

const title = 'Edit tags'

/** Reads the tags anew, and then opens the form with them. */
export function TagsDialog(props: Props) {
  const { data, error, refetch, isFetchedAfterMount } = useQuery({
    ...tagsView(props.kind, props.object.id),
    gcTime: 0,
  })
  if (data && isFetchedAfterMount) return <TagsForm {...props} tags={data.tags} />
  return (
    <Dialog title={title} width="medium" onRequestClose={props.onClose} footer={null}>
      {error ? <SectionError failure={error} onRetry={() => void refetch()} /> : <Spinner />}
    </Dialog>
  )
}

function TagsForm({ kind, object: { id, name }, project, tags, onClose }: Props & { tags: readonly Tag[] }) {
  const update = useOp(op.tagsUpdate, { sees: tagsView(kind, id) })
  const reserved = tags.filter(({ key }) => isReserved(key))
  const own = tags.filter(({ key }) => !isReserved(key))
  return (
    <DialogForm<{ tags: Tag[] }, Tags>
      title={title}
      width="medium"
      pendingLabel="Saving"
      reviewable
      initial={{
        tags: own.length > 0 ? own.map(({ key, value }) => ({ key, value })) : [{ key: '', value: '' }],
      }}
      save={(values, send) =>
        update.run({ path: { objectId: id }, query: { kind }, body: { tags: filledIn(values.tags) } }, send)
      }
      saved={() => successMessage(kindWord(kind), name, 'has new tags')}
      onClose={onClose}
    >
      <p>
        Tags of {kindWord(kind)} <strong>{name}</strong>. Everyone who sees it sees them.
      </p>
      <TagFields name="tags" kind={kind} project={project} />
      {reserved.length > 0 && (
        <p className="flex flex-wrap items-center gap-1.5 text-sm text-muted">
          Set by the platform:
          {reserved.map((tag) => (
            <TagLabel key={tag.key} tag={tag} />
          ))}
        </p>
      )}
    </DialogForm>
  )
}
