import * as op from '@gantry/api/client/operations.gen'
import { useFormContext, useWatch } from 'react-hook-form'
import { useOp } from '#/data/use-op.ts'
import { choicesOf } from '#/kit/list/choices-of.ts'
import { ChoiceField } from '#/kit/forms/choice-fields.tsx'
import { DialogForm } from '#/kit/forms/DialogForm.tsx'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { linkedSuccessMessage, successMessage } from '#/kit/feedback/success-message.tsx'
import { useOffered } from '#/kit/list/use-offered.ts'
import { useClearUnavailable } from '#/kit/list/use-clear-unavailable.ts'
import { ProjectField } from '#/features/projects/ProjectField.tsx'
import { type Deletion, reportDeletion } from '#/kit/page/use-viewed.ts'
import { Note } from '#/ui/feedback/Note.tsx'
import { siloImageLink } from './links.ts'
import { imageOption } from './parts.ts'
import { type Image, offeredImages } from './queries.ts'

interface Props {
  project: string
  image: Image
  /** Of the image's own page, which leaves: the image is no longer at its address. */
  onMove?: ((is: Deletion) => void) | undefined
  onClose: () => void
}

/** Moves a project's image to the silo. */
export function PromoteImageDialog({ project, image: { name }, onMove, onClose }: Props) {
  const promote = useOp(op.imagePromote)
  return (
    <DialogForm
      title="Promote image"
      submitLabel="Promote"
      pendingLabel="Promoting"
      initial={{}}
      save={() => reportDeletion(() => promote.run({ path: { image: name }, query: { project } }), onMove)}
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

const PromotedNote = () => (
  <Note>
    A promoted image is visible to all projects in the silo, and all of them can create disks from it.
  </Note>
)

interface Values {
  project: string
  /** An id. */
  image: string
}

/** Moves a project's image to the silo. The user selects the project first. */
export function PromoteFromDialog({ onClose }: { onClose: () => void }) {
  const promote = useOp(op.imagePromote)
  const initial: Values = { project: '', image: '' }
  return (
    <DialogForm
      title="Promote image"
      submitLabel="Promote"
      pendingLabel="Promoting"
      initial={initial}
      save={({ image }, send) => promote.run({ path: { image } }, send)}
      saved={({ name }) => linkedSuccessMessage('image', name, 'promoted', siloImageLink(name))}
      onClose={onClose}
    >
      <Fields />
      <PromotedNote />
    </DialogForm>
  )
}

function Fields() {
  const { setValue, clearErrors } = useFormContext<Values>()
  const project = useWatch<Values, 'project'>({ name: 'project' })
  const images = useOffered(offeredImages(project), project !== '')
  const { data: offered = [] } = images
  const hasNone = images.data?.length === 0
  useClearUnavailable(
    'image',
    offered.map(({ id }) => id),
  )
  return (
    <>
      <ProjectField
        placeholder="Select a project"
        onChoose={() => {
          // The selected image belongs to the previous project.
          setValue('image', '')
          clearErrors('image')
        }}
      />
      <ChoiceField
        name="image"
        label="Image"
        placeholder={hasNone ? 'No items' : 'Select an image'}
        disabled={project === '' || hasNone}
        {...choicesOf(images)}
        options={offered.map((image) => imageOption(image))}
      />
    </>
  )
}

/** Moves an image from the silo to a project. */
export function DemoteImageDialog({ image, onMove, onClose }: Omit<Props, 'project'>) {
  const demote = useOp(op.imageDemote)
  return (
    <DialogForm
      title="Demote image"
      submitLabel="Demote"
      pendingLabel="Demoting"
      initial={{ project: '' }}
      save={async ({ project }) => {
        await reportDeletion(() => demote.run({ path: { image: image.id }, query: { project } }), onMove)
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
