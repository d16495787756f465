import * as op from '@gantry/api/client/operations.gen'
import { useOp } from '../../data/use-op.ts'
import { Note } from '../../ui/Note.tsx'
import { DialogForm } from '../common/forms/DialogForm.tsx'
import { PathLink } from '../common/PathLink.tsx'
import { told } from '../common/told.tsx'
import { ProjectField } from '../projects/ProjectField.tsx'
import { type Image, imagePaths } from './queries.ts'

/** Makes an image of the silo one of a project. */
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
      saved={(project) => ({ text: told('Image', image.name, 'demoted'), action: viewImagesIn(project) })}
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
  <PathLink to={imagePaths.list(project)} className="link">
    View images in {project}
  </PathLink>
)
