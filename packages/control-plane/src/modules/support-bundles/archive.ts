import { Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js'
import type { SupportBundleFile } from '../../db/tables.ts'

export interface NewFile {
  path: string
  bytes: Uint8Array
}

/**
 * A zip archive without compression, so that any range of any file is a range of the archive. `files` says
 * where each is.
 */
export async function zipOf(
  given: readonly NewFile[],
  time: Date,
): Promise<{ bytes: Uint8Array; files: SupportBundleFile[] }> {
  const writer = new ZipWriter(new Uint8ArrayWriter(), {
    level: 0,
    lastModDate: time,
    dataDescriptor: false,
    extendedTimestamp: false,
    useWebWorkers: false,
  })
  const entries = []
  for (const { path, bytes } of given) entries.push(await writer.add(path, new Uint8ArrayReader(bytes)))
  const bytes = await writer.close()
  const files = entries.map(({ filename, offset, uncompressedSize }) => ({
    path: filename,
    offset: contentOffset(bytes, offset),
    size: uncompressedSize,
  }))
  return { bytes, files }
}

/** Behind a file's header, whose name and extra fields vary in length (PKWARE's APPNOTE, 4.3.7). */
function contentOffset(archive: Uint8Array, header: number): number {
  const view = new DataView(archive.buffer, archive.byteOffset + header)
  return header + 30 + view.getUint16(26, true) + view.getUint16(28, true)
}
