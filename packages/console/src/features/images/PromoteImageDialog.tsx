import * as op from '@gantry/api/client/operations.gen'
import { useOp } from '#/data/use-op.ts'
import { DialogForm } from '#/features/common/forms/DialogForm.tsx'
import { PageLink } from '#/features/common/PageLink.tsx'
import { successMessage } from '#/features/common/success-message.tsx'
import { PromotedNote } from './PromotedNote.tsx'
import { type Image } from './queries.ts'

interface Props {
  project: string
  image: Image
  onClose: () => void
}

/** Moves a project's image to the silo. */
export function PromoteImageDialog({ project, image: { name }, onClose }: Props) {
  const promote = useOp(op.imagePromote)
  return (
    <DialogForm
      title="Promote image"
      submitLabel="Promote"
      pendingLabel="Promoting"
      initial={{}}
      save={() => promote.run({ path: { image: name }, query: { project } })}
      saved={() => ({ text: successMessage('Image', name, 'promoted'), action: viewSiloImages })}
      onClose={onClose}
    >
      <p>
        Are you sure you want to promote <strong>{name}</strong>?
      </p>
      <PromotedNote />
    </DialogForm>
  )
}

const viewSiloImages = (
  <PageLink to="/images" className="link">
    View silo images
  </PageLink>
)
