// @chunk apart: a form, which few open.
import { bootRecordWords } from '@gantry/api/storage/hardware.rules'
import * as op from '@gantry/api/client/operations.gen'
import { useWatch } from 'react-hook-form'
import { useWhyLacking } from '#/data/fleet.ts'
import { useOp } from '#/data/use-op.ts'
import { CheckboxField, RadioField } from '#/kit/forms/choice-fields.tsx'
import { DialogForm } from '#/kit/forms/DialogForm.tsx'
import { successMessage } from '#/kit/feedback/success-message.tsx'
import { Note } from '#/ui/feedback/Note.tsx'
import type { ImageHardware } from './HardwareItems.tsx'
import { type Image, projectImageView, siloImageView } from './queries.ts'

interface Props {
  /** Undefined for an image of the silo. */
  project?: string | undefined
  image: Image
  hardware: ImageHardware
  onClose: () => void
}

type Values = Omit<ImageHardware, 'bootRecord'>

/** What machines have that boot from disks made of the image. */
export function HardwareDialog({ project, image: { name }, hardware, onClose }: Props) {
  const { bootRecord, ...initial } = hardware
  const view = project === undefined ? siloImageView(name) : projectImageView(project, name)
  const update = useOp(op.imageHardwareUpdate, { seeds: () => view })
  return (
    <DialogForm<Values, Image>
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
      <RadioField
        name="firmware"
        label="Firmware"
        hint={bootRecord === null ? undefined : `${bootRecordWords[bootRecord]}.`}
        options={[
          { value: 'bios', label: 'BIOS' },
          { value: 'uefi', label: 'UEFI' },
        ]}
      />
      <SecureBoot />
      <SecurityChip />
      <RadioField
        name="diskModel"
        label="Disks"
        options={[
          { value: 'virtio', label: 'virtio' },
          { value: 'sata', label: 'SATA' },
        ]}
      />
      <RadioField
        name="networkModel"
        label="Network"
        hint="Systems without drivers for virtio know SATA disks and e1000 cards. Both are slower."
        options={[
          { value: 'virtio', label: 'virtio' },
          { value: 'e1000', label: 'e1000' },
        ]}
      />
      <RadioField
        name="clock"
        label="Clock"
        hint="Windows expects the local time, other systems UTC."
        options={[
          { value: 'utc', label: 'UTC' },
          { value: 'local', label: "The host's time zone" },
        ]}
      />
      <Note>Disks that were made of the image keep what they have.</Note>
    </DialogForm>
  )
}

/** What another user changes meanwhile is left alone. */
const changed = (was: Values, now: Values): Partial<Values> =>
  Object.fromEntries(Object.entries(now).filter(([key, value]) => was[key as keyof Values] !== value))

function SecurityChip() {
  const whyNot = useWhyLacking('tpm')
  return (
    <>
      <CheckboxField name="tpm">Security chip: TPM 2.0</CheckboxField>
      {whyNot && <Note>{whyNot}</Note>}
    </>
  )
}

function SecureBoot() {
  const firmware = useWatch<Values, 'firmware'>({ name: 'firmware' })
  const whyNotSecure = useWhyLacking('secure_boot')
  const whyNotUefi = useWhyLacking('uefi')
  if (firmware !== 'uefi') return null
  return (
    <>
      <CheckboxField name="secureBoot">Secure boot: only signed boot loaders start</CheckboxField>
      {(whyNotUefi ?? whyNotSecure) && <Note>{whyNotUefi ?? whyNotSecure}</Note>}
    </>
  )
}
