import { bootRecordWords, firmwareFor } from '@gantry/api/storage/hardware.rules'
import { cdWords } from '@gantry/api/storage/cd.rules'
import { useWhyLacking } from '#/data/fleet.ts'
import { DataItem } from '#/ui/data/DataPlate.tsx'
import { deviceWords, firmwareWords } from './hardware-words.ts'
import type { Image } from './queries.ts'

export type ImageHardware = NonNullable<Image['hardware']>

/** Among the properties of an image: what machines have that boot from it, and why. */
export function HardwareItems({ hardware, cd }: { hardware: ImageHardware; cd: Image['cd'] }) {
  const { firmware, secureBoot, tpm, clock } = hardware
  const whyNotUefi = useWhyLacking(secureBoot ? 'secure_boot' : 'uefi')
  const whyNotTpm = useWhyLacking('tpm')
  return (
    <>
      <DataItem label="Firmware">
        <p>{firmwareWords(hardware)}</p>
        <p className="text-sm text-muted">{whyFirmware(hardware)}</p>
        {firmware === 'uefi' && whyNotUefi && <p className="text-sm text-muted">{whyNotUefi}</p>}
      </DataItem>
      {cd && cd !== 'none' && <DataItem label="CD">{`${cdWords[cd]}.`}</DataItem>}
      <DataItem label="Devices">
        <p>{deviceWords(hardware)}</p>
        {tpm && whyNotTpm && <p className="text-sm text-muted">{whyNotTpm}</p>}
        <p className="text-sm text-muted">Clock in {clock === 'local' ? "the host's time zone" : 'UTC'}</p>
      </DataItem>
    </>
  )
}

function whyFirmware({ firmware, bootRecord }: ImageHardware): string {
  if (bootRecord === null) return 'The image is from before its bytes were read for that'
  const words = bootRecordWords[bootRecord]
  return firmware === firmwareFor(bootRecord) ? words : `Chosen for the image. ${words}`
}
