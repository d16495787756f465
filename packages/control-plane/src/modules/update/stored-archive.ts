import { MiB } from '@gantry/api/base/bytes.rules'
import type { Row } from '../../db/tables.ts'
import type { Cx } from '../../context/cx.ts'
import { type Release, verifyArchive } from './archive.ts'
import { trustedRoots } from './trust-roots.ts'

/** Verifies an archive of `size` bytes in the block store against the current trust roots. */
export async function verifyStored(
  cx: Cx,
  { content_id, size }: Pick<Row<'update_upload'>, 'content_id' | 'size'>,
): Promise<Release> {
  const { blocks, settings } = cx.services
  const source = { size, read: (offset: number, length: number) => blocks.read(content_id, offset, length) }
  return verifyArchive(source, {
    roots: await trustedRoots(cx.db),
    now: cx.now(),
    unpackedMax: settings.updates.repository_mebibytes * MiB,
  })
}
