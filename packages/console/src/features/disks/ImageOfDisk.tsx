// @chunk apart: a form, which rows and pages of disks open for few.
import * as op from '@gantry/api/client/operations.gen'
import { useOp } from '#/data/use-op.ts'
import { NewTags } from '#/features/tags/NewTags.tsx'
import { successMessage } from '#/kit/feedback/success-message.tsx'
import { DescriptionField, NameField, TextField } from '#/kit/forms/fields.tsx'
import { SideForm } from '#/kit/forms/SideForm.tsx'
import { DataItem, DataPlate } from '#/ui/data/DataPlate.tsx'
import { Size } from '#/ui/data/Figures.tsx'
import { Note } from '#/ui/feedback/Note.tsx'
import type { Disk } from './queries.ts'

/** Creates an image of a disk as it is now. */
export function ImageOfDisk({
  project,
  disk,
  onClose,
}: {
  project: string
  disk: Disk
  onClose: () => void
}) {
  const create = useOp(op.diskImageCreate)
  const isInUse = disk.state.state === 'attached'
  return (
    <SideForm
      title="Create image"
      context={`Of disk ${disk.name}`}
      pendingLabel="Creating image"
      initial={{ name: disk.name, description: '', os: '', version: '' }}
      save={(body, send) => create.run({ path: { disk: disk.id }, query: {}, body }, send)}
      saved={({ name }) => successMessage('Image', name, 'is being created')}
      closeTo={onClose}
    >
      <DataPlate narrow>
        <DataItem label="Disk">{disk.name}</DataItem>
        <DataItem label="Project">{project}</DataItem>
        <DataItem label="Size">
          <Size bytes={disk.size} />
        </DataItem>
      </DataPlate>
      <Note kind={isInUse ? 'busy' : 'note'} {...(isInUse && { title: 'The disk is attached' })}>
        {isInUse
          ? 'If its instance runs, the image holds what a power failure would leave: what the guest has not written yet is missing. Stop the instance first for a complete image.'
          : 'A snapshot is taken and becomes the image. Until it is copied, the disk cannot be attached.'}
      </Note>
      <NameField name="name" />
      <DescriptionField name="description" />
      <TextField name="os" label="OS" />
      <TextField name="version" label="Version" />
      <NewTags kind="image" project={project} />
    </SideForm>
  )
}
