import * as op from '@gantry/api/client/operations.gen'
import { useQuery } from '@tanstack/react-query'
import { useFormContext, useWatch } from 'react-hook-form'
import { useOp } from '#/data/use-op.ts'
import { choicesOf } from '#/features/common/choices-of.ts'
import { ChoiceField } from '#/features/common/forms/choice-fields.tsx'
import { DialogForm } from '#/features/common/forms/DialogForm.tsx'
import { linkedSuccessMessage } from '#/features/common/success-message.tsx'
import { ProjectField } from '#/features/projects/ProjectField.tsx'
import { imageOption } from './image-option.ts'
import { siloImageLink } from './links.ts'
import { PromotedNote } from './PromotedNote.tsx'
import { allProjectImages } from './queries.ts'

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
      save={({ image }) => promote.run({ path: { image } })}
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
  const images = useQuery({ ...allProjectImages(project), enabled: project !== '' })
  const hasNone = images.data?.length === 0
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
        options={(images.data ?? []).map((image) => imageOption(image))}
      />
    </>
  )
}
