// @chunk apart: fields of forms that few open.
import { useWatch } from 'react-hook-form'
import { useWhyLacking } from '#/data/fleet.ts'
import { CheckboxField, RadioField } from '#/kit/forms/choice-fields.tsx'
import { Note } from '#/ui/feedback/Note.tsx'
import type { ImageHardware } from './HardwareItems.tsx'

export type HardwareValues = Omit<ImageHardware, 'bootRecord'>

/** What machines have, selected for an image or for an instance. */
export function HardwareFields({ hint }: { hint?: string | undefined }) {
  return (
    <>
      <RadioField
        name="firmware"
        label="Firmware"
        hint={hint}
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
    </>
  )
}

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
  const firmware = useWatch<HardwareValues, 'firmware'>({ name: 'firmware' })
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
