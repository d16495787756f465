// @chunk apart: few instances start from an installer.
import { bootWords, firmwareOfInstaller } from '@gantry/api/compute/boot-order.rules'
import { useWatch } from 'react-hook-form'
import { useWhyLacking } from '#/data/fleet.ts'
import { ChoiceField, RadioField } from '#/kit/forms/choice-fields.tsx'
import { useClearUnavailable } from '#/kit/list/use-clear-unavailable.ts'
import { maxGib } from '#/features/disks/rules.ts'
import { imageOption, isCd } from '#/features/images/parts.ts'
import type { Image } from '#/features/images/queries.ts'
import { Note } from '#/ui/feedback/Note.tsx'
import { SizeAndName } from './boot-disk-fields.tsx'
import type { InstanceValues } from './values.ts'

/** An empty boot disk, which the system of a CD is installed on, with a second CD for drivers. */
export function InstallerFields({ project, images }: { project: string; images: readonly Image[] }) {
  const [installer, drivers, firmware, diskName] = useWatch<
    InstanceValues,
    ['installer', 'drivers', 'installerFirmware', 'bootDiskName']
  >({ name: ['installer', 'drivers', 'installerFirmware', 'bootDiskName'] })
  const whyNotUefi = useWhyLacking('uefi')
  const cds = images.filter(isCd)
  const ids = cds.map(({ id }) => id)
  useClearUnavailable('installer', ids)
  useClearUnavailable('drivers', ids)
  if (cds.length === 0)
    return (
      <Note kind="busy">
        No image is a CD. Upload the ISO file of an installer as an image, then start an instance from it.
      </Note>
    )
  const inserted = [installer, drivers].flatMap((id) => {
    const image = cds.find((one) => one.id === id)
    return image ? [{ name: image.name, kind: image.cd ?? null }] : []
  })
  const automatic = firmwareOfInstaller(inserted.map(({ kind }) => kind)) ?? 'bios'
  const effective = firmware === '' ? automatic : firmware
  return (
    <>
      <ChoiceField
        name="installer"
        label="Installer CD"
        placeholder="Select an ISO image"
        options={cds.map((image) => imageOption(image))}
      />
      <ChoiceField
        name="drivers"
        label="Second CD"
        optional
        hint="For example drivers that the installer asks for."
        placeholder="None"
        options={cds.filter(({ id }) => id !== installer).map((image) => imageOption(image))}
      />
      <RadioField
        name="installerFirmware"
        label="Firmware"
        options={[
          { value: '', label: `What the installer boots by: ${automatic === 'uefi' ? 'UEFI' : 'BIOS'}` },
          { value: 'bios', label: 'BIOS' },
          { value: 'uefi', label: 'UEFI' },
        ]}
      />
      <SizeAndName
        project={project}
        source="installer"
        sourceBytes={undefined}
        hint={`Empty, up to ${maxGib} GiB.`}
      />
      {inserted.length > 0 && (
        <Note>
          {bootWords({
            firmware: effective,
            cds: inserted,
            disk: diskName ? `disk ${diskName}` : 'the new disk',
          })}{' '}
          Eject the CD once the system is installed.
          {effective === 'uefi' && whyNotUefi && ` ${whyNotUefi}.`}
        </Note>
      )}
    </>
  )
}
