/** The result of probing a file's first bytes. */
export interface Probe {
  /** The offset of the EFI partition table's signature, which equals the block size. */
  efiAt: number | undefined
  isCd: boolean
}

const efiOffsets = [512, 2048, 4096]
const efiMarker = 'EFI PART'
const cdOffset = 0x8001
const cdMarker = 'CD001'
const compressed = /\.(gz|7z|qcow2|vmdk)$/i

export async function probe(file: Blob): Promise<Probe> {
  const text = async (offset: number, length: number): Promise<string> =>
    String.fromCharCode(...new Uint8Array(await file.slice(offset, offset + length).arrayBuffer()))
  let efiAt: number | undefined
  for (const offset of efiOffsets)
    if (efiAt === undefined && (await text(offset, efiMarker.length)) === efiMarker) efiAt = offset
  return { efiAt, isCd: (await text(cdOffset, cdMarker.length)) === cdMarker }
}

/** Why the block size looks wrong for a file. Only a hint, never a reason to refuse the file. */
export function blockSizeHint({ efiAt, isCd }: Probe, blockSize: number): string | undefined {
  if (efiAt !== undefined) {
    if (efiAt === blockSize) return undefined
    return `The partition table of the file is at byte ${efiAt}, which suggests a block size of ${efiAt}, not ${blockSize}.`
  }
  return isCd && blockSize !== 2048
    ? `The file looks like a bootable CD, which suggests a block size of 2048, not ${blockSize}.`
    : undefined
}

/** Why a file may not boot. Only a hint, never a reason to refuse the file. */
export function bootHints({ efiAt, isCd }: Probe, fileName: string): string[] {
  return [
    ...(efiAt === undefined && !isCd ? ['No marker of a bootable disk or CD was found in the file.'] : []),
    ...(compressed.test(fileName)
      ? ['The file looks compressed or packed. Images are uploaded raw: unpack it first.']
      : []),
  ]
}
