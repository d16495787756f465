import * as op from '@gantry/api/client/operations.gen'
import { asFailure } from '#/data/failure.ts'
import { useOp } from '#/data/use-op.ts'
import { toast } from '#/ui/toast.ts'
import { failureText } from '#/features/common/failure-text.ts'
import { successMessage } from '#/features/common/success-message.tsx'
import { type DiskCreate, DiskForm } from '#/features/disks/DiskForm.tsx'
import type { Disk } from '#/features/disks/queries.ts'

interface Props {
  project: string
  instance: string
  attach: (disk: string) => Promise<unknown>
  onClose: () => void
}

/** Two steps with a message each: the user must know about a disk that was created but not attached. */
export function CreateAttachedDisk({ project, instance, attach, onClose }: Props) {
  const create = useOp(op.diskCreate)

  async function save(body: DiskCreate): Promise<Disk> {
    const disk = await create.run({ query: { project }, body })
    // Not part of the form's next step: the disk is attached even if the user has left the form.
    void attachTo(disk.name)
    return disk
  }

  async function attachTo(name: string): Promise<void> {
    try {
      await attach(name)
      toast.success(successMessage('Disk', name, 'attached'))
    } catch (error) {
      toast.error({
        title: `Could not attach disk ${name}`,
        text: `${failureText(asFailure(error))} The disk exists and can be attached later.`,
      })
    }
  }

  return (
    <DiskForm
      project={project}
      context={`For instance ${instance}`}
      save={save}
      saved={({ name }) => successMessage('Disk', name, 'created')}
      closeTo={onClose}
    />
  )
}
