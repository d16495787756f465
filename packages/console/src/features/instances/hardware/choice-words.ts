import type { Instance } from '../queries.ts'

type Choice = Instance['hardware']

/** What was selected for the machines of an instance, in a line. */
export function choiceWords(choice: Choice): string {
  if (!choice) return "the boot disk's"
  const { firmware, secureBoot, tpm, diskModel, networkModel, clock } = choice
  const words = [
    firmware && (firmware === 'uefi' ? 'UEFI' : 'BIOS'),
    secureBoot != null && (secureBoot ? 'secure boot' : 'no secure boot'),
    tpm != null && (tpm ? 'TPM 2.0' : 'no TPM'),
    diskModel && `${diskModel === 'sata' ? 'SATA' : 'virtio'} disks`,
    networkModel && `${networkModel} network`,
    clock && (clock === 'local' ? "clock in the host's time zone" : 'clock in UTC'),
  ].filter((one) => typeof one === 'string')
  return words.length > 0 ? words.join(', ') : "the boot disk's"
}
