// @chunk apart: a form, which rows and pages of disks open for few.
import { GiB } from '@gantry/api/base/bytes.rules'
import * as op from '@gantry/api/client/operations.gen'
import { useOp } from '#/data/use-op.ts'
import { NumberField } from '#/kit/forms/choice-fields.tsx'
import { DialogForm } from '#/kit/forms/DialogForm.tsx'
import { successMessage } from '#/kit/feedback/success-message.tsx'
import { formatBytes } from '#/ui/data/format.ts'
import { type Disk, diskView } from './queries.ts'
import { diskGibProblem, maxGib } from './rules.ts'

interface Props {
  project: string
  disk: Disk
  onClose: () => void
}

/** Gives a disk more bytes; its guest makes use of them. */
export function GrowDisk({ project, disk: { name, size }, onClose }: Props) {
  const grow = useOp(op.diskGrow, { seeds: () => diskView(project, name) })
  const least = Math.floor(size / GiB) + 1
  return (
    <DialogForm<{ gib: number | null }, Disk>
      title="Grow disk"
      submitLabel="Grow disk"
      pendingLabel="Growing disk"
      initial={{ gib: Math.min(least, maxGib) }}
      reviewable
      save={({ gib }, send) =>
        grow.run({ path: { disk: name }, query: { project }, body: { size: (gib ?? 0) * GiB } }, send)
      }
      saved={(saved) => successMessage('Disk', name, `has ${formatBytes(saved.size)} now`)}
      onClose={onClose}
    >
      <p>
        Disk <strong>{name}</strong> has {formatBytes(size)}. It cannot be made smaller again.
      </p>
      <NumberField
        name="gib"
        label="New size"
        unit="GiB"
        min={least}
        max={maxGib}
        problem={(gib) =>
          diskGibProblem(gib, { label: 'New size' }) ??
          (gib !== null && gib < least ? `Must be at least ${least} GiB` : undefined)
        }
      />
      <p className="text-sm text-muted">
        The guest sees the new size at once, or at its next start. Then grow the partition and the file system
        in it, on Linux by <code>growpart</code> and <code>resize2fs</code> or <code>xfs_growfs</code>.
      </p>
    </DialogForm>
  )
}
