// @chunk apart: a form, which few open.
import { bootRecordWords } from '@gantry/api/storage/hardware.rules'
import * as op from '@gantry/api/client/operations.gen'
import { useOp } from '#/data/use-op.ts'
import { DialogForm } from '#/kit/forms/DialogForm.tsx'
import { successMessage } from '#/kit/feedback/success-message.tsx'
import { Note } from '#/ui/feedback/Note.tsx'
import { HardwareFields, type HardwareValues } from './HardwareFields.tsx'
import type { ImageHardware } from './HardwareItems.tsx'
import { type Image, projectImageView, siloImageView } from './queries.ts'

interface Props {
  /** Undefined for an image of the silo. */
  project?: string | undefined
  image: Image
  hardware: ImageHardware
  onClose: () => void
}

/** What machines have that boot from disks made of the image. */
export function HardwareDialog({ project, image: { name }, hardware, onClose }: Props) {
  const { bootRecord, ...initial } = hardware
  const view = project === undefined ? siloImageView(name) : projectImageView(project, name)
  const update = useOp(op.imageHardwareUpdate, { seeds: () => view })
  return (
    <DialogForm<HardwareValues, Image>
      title="Change hardware"
      submitLabel="Change hardware"
      pendingLabel="Changing hardware"
      initial={initial}
      save={(values, send) =>
        update.run(
          {
            path: { image: name },
            ...(project !== undefined && { query: { project } }),
            body: changed(initial, {
              ...values,
              // A choice of before that is out of sight.
              secureBoot: values.secureBoot && values.firmware === 'uefi',
            }),
          },
          send,
        )
      }
      saved={() => successMessage('Image', name, 'changed')}
      onClose={onClose}
    >
      <HardwareFields hint={bootRecord === null ? undefined : `${bootRecordWords[bootRecord]}.`} />
      <Note>Disks that were made of the image keep what they have.</Note>
    </DialogForm>
  )
}

/** What another user changes meanwhile is left alone. */
const changed = (was: HardwareValues, now: HardwareValues): Partial<HardwareValues> =>
  Object.fromEntries(Object.entries(now).filter(([key, value]) => was[key as keyof HardwareValues] !== value))
