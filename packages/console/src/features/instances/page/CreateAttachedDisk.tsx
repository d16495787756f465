import * as op from '@gantry/api/client/operations.gen'
import type { Send } from '#/data/client.ts'
import { asFailure } from '#/data/failure.ts'
import { toast } from '#/ui/overlays/toast.ts'
import { failureText } from '#/kit/feedback/failure-text.ts'
import { successMessage } from '#/kit/feedback/success-message.tsx'
import { diskSaved, useCreateDisk } from '#/features/disks/create-disk.ts'
import { type DiskCreate, DiskForm } from '#/features/disks/DiskForm.tsx'
import type { Disk } from '#/features/disks/queries.ts'
import { instanceAt } from '../queries.ts'
import { exchangedWord } from './use-hot-plug.ts'

interface Props {
  project: string
  instance: string
  attach: (disk: string) => Promise<Disk>
  /** The operation by which it does that. */
  attachOp: typeof op.instanceDiskAttach | typeof op.instanceDiskHotAttach
  onClose: () => void
}

/** Two steps with a message each: the user must know about a disk that was created but not attached. */
export function CreateAttachedDisk({ project, instance, attach, attachOp, onClose }: Props) {
  const create = useCreateDisk(project)

  async function save(body: DiskCreate, send?: Send): Promise<Disk> {
    const disk = await create(body, send)
    // Not part of the form's next step: the disk is attached even if the user has left the form.
    void attachTo(disk.name)
    return disk
  }

  async function attachTo(name: string): Promise<void> {
    try {
      toast.success(successMessage('Disk', name, exchangedWord(await attach(name))))
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
      codeOf={(body) => [
        { op: op.diskCreate, input: { query: { project }, body } },
        { op: attachOp, input: { ...instanceAt(project, instance), body: { disk: body.name } } },
      ]}
      saved={diskSaved}
      closeTo={onClose}
    />
  )
}
