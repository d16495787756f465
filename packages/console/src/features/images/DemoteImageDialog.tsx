import * as op from '@gantry/api/client/operations.gen'
import { useOp } from '#/data/use-op.ts'
import { DialogForm } from '#/features/common/forms/DialogForm.tsx'
import { PageLink } from '#/features/common/PageLink.tsx'
import { successMessage } from '#/features/common/success-message.tsx'
import { ProjectField } from '#/features/projects/ProjectField.tsx'
import { Note } from '#/ui/Note.tsx'
import { type Image } from './queries.ts'

/** Moves an image from the silo to a project. */
export function DemoteImageDialog({ image, onClose }: { image: Image; onClose: () => void }) {
  const demote = useOp(op.imageDemote)
  return (
    <DialogForm
      title="Demote image"
      submitLabel="Demote"
      pendingLabel="Demoting"
      initial={{ project: '' }}
      save={async ({ project }) => {
        await demote.run({ path: { image: image.id }, query: { project } })
        return project
      }}
      saved={(project) => ({
        text: successMessage('Image', image.name, 'demoted'),
        action: viewImagesIn(project),
      })}
      onClose={onClose}
    >
      <p>
        Demoting: <strong>{image.name}</strong>
      </p>
      <Note>
        The image will be visible only in the selected project. Disks created from it are not affected.
      </Note>
      <ProjectField placeholder="Select project for image" />
    </DialogForm>
  )
}

const viewImagesIn = (project: string) => (
  <PageLink to="/projects/$project/images" params={{ project }} className="link">
    View images in {project}
  </PageLink>
)
