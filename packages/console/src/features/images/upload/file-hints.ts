import { type FileKind, recognise } from '@gantry/api/storage/image-format.rules'
import type { ImageHeader } from '@gantry/api/storage/image-header.rules'
import { bytesOf } from '#/kit/inputs/chosen-file.ts'
import { loadWithRetry } from '#/ui/lazy-part.tsx'

/** The result of probing a file's first bytes. */
export interface Probe {
  /** The offset of the EFI partition table's signature, which equals the block size. */
  efiAt: number | undefined
  isCd: boolean
  kind: FileKind
  /** Of a disk image of another format. */
  header: ImageHeader | undefined
}

const efiOffsets = [512, 2048, 4096]
const efiMarker = 'EFI PART'
const cdOffset = 0x8001
const cdMarker = 'CD001'

const loadReader = () => loadWithRetry(() => import('./disk-header.ts'))

export async function probe(file: Blob): Promise<Probe> {
  const read = (offset: number, length: number) => bytesOf(file.slice(offset, offset + length))
  const text = async (offset: number, length: number): Promise<string> =>
    String.fromCharCode(...(await read(offset, length)))
  const kind = await recognise({ size: file.size, read })
  let efiAt: number | undefined
  for (const offset of efiOffsets)
    if (efiAt === undefined && (await text(offset, efiMarker.length)) === efiMarker) efiAt = offset
  return {
    efiAt,
    isCd: (await text(cdOffset, cdMarker.length)) === cdMarker,
    kind,
    header:
      kind === 'raw' ? undefined : await (await loadReader()).diskHeader(kind, { size: file.size, read }),
  }
}

/** Why the block size looks wrong for a file. Only a hint, never a reason to refuse the file. */
export function blockSizeHint(
  { efiAt, isCd }: Pick<Probe, 'efiAt' | 'isCd'>,
  blockSize: number,
): string | undefined {
  if (efiAt !== undefined) {
    if (efiAt === blockSize) return undefined
    return `The partition table of the file is at byte ${efiAt}, which suggests a block size of ${efiAt}, not ${blockSize}.`
  }
  return isCd && blockSize !== 2048
    ? `The file looks like a bootable CD, which suggests a block size of 2048, not ${blockSize}.`
    : undefined
}

/** Why a raw image may not boot. Only a hint, never a reason to refuse the file. */
export const bootHint = ({ efiAt, isCd, kind }: Pick<Probe, 'efiAt' | 'isCd' | 'kind'>): string | undefined =>
  kind === 'raw' && efiAt === undefined && !isCd
    ? 'No marker of a bootable disk or CD was found in the file.'
    : undefined
