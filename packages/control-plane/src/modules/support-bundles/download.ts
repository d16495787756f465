import { allows } from '@gantry/api/base/state.rules'
import { supportBundleAllows } from '@gantry/api/system/support-bundle.rules'
import type { BlockStore } from '../../blocks/block-store.ts'
import type { Row } from '../../db/tables.ts'
import type { Cx } from '../../context/cx.ts'
import { type DownloadedFile, fileReply } from '../../pipeline/file-reply.ts'
import type { Reply } from '../../pipeline/implement.ts'
import type { Span } from '../../pipeline/ranges.ts'
import { need } from '../../lookup/need.ts'
import { invalid, notFound } from '../../context/refusal.ts'
import type { AtBundle } from './service.ts'

/** Bytes read from the store at once. */
const piece = 256 * 1024

export async function downloadBundle(cx: Cx, at: AtBundle): Promise<Reply> {
  const bundle = await needActive(cx, at)
  return reply(cx, bundle, {
    name: `support-bundle-${bundle.id}.zip`,
    type: 'application/zip',
    size: bundle.size ?? 0,
    read: (span) => stored(cx.services.blocks, bundle.content_id ?? '', span),
  })
}

export async function downloadFile(cx: Cx, { file, ...at }: AtBundle & { file: string }): Promise<Reply> {
  const bundle = await needActive(cx, at)
  const found = bundle.files?.find(({ path }) => path === file)
  if (!found) throw notFound('support-bundle', { text: `file "${file}" of support-bundle "${bundle.id}"` })
  return reply(cx, bundle, {
    name: found.path.replaceAll('/', '-'),
    type: 'application/octet-stream',
    size: found.size,
    read: ({ start, length }) =>
      stored(cx.services.blocks, bundle.content_id ?? '', { start: found.offset + start, length }),
  })
}

/** The paths of the files, one in each line. */
export async function downloadIndex(cx: Cx, at: AtBundle): Promise<Reply> {
  const bundle = await needActive(cx, at)
  const bytes = new TextEncoder().encode((bundle.files ?? []).map(({ path }) => `${path}\n`).join(''))
  return reply(cx, bundle, {
    name: 'index.txt',
    type: 'application/octet-stream',
    size: bytes.length,
    read: ({ start, length }) => streamOf(async (at) => bytes.slice(start + at, start + length), length),
  })
}

async function needActive(cx: Cx, { bundle_id }: AtBundle): Promise<Row<'support_bundle'>> {
  const { row } = await need(cx, 'support_bundle', { bundle_id }, 'read')
  if (!allows(supportBundleAllows, 'download', row.state))
    throw invalid('Cannot download bundle in non-active state', 'Wait until the bundle is collected.')
  if ((await cx.services.blocks.size(row.content_id ?? '')) === undefined)
    throw invalid(
      'The files of the bundle are not in the storage any more',
      'Delete it, and collect another.',
    )
  return row
}

/** The bytes of a complete bundle never change. */
const reply = (cx: Cx, { content_id }: Row<'support_bundle'>, file: Omit<DownloadedFile, 'etag'>): Reply =>
  fileReply(cx, { ...file, etag: `"${content_id}"` })

const stored = (blocks: BlockStore, id: string, { start, length }: Span): ReadableStream<Uint8Array> =>
  streamOf((at) => blocks.read(id, start + at, Math.min(piece, length - at)), length)

/** A stream of `length` bytes, read as the client takes them. */
function streamOf(read: (at: number) => Promise<Uint8Array>, length: number): ReadableStream<Uint8Array> {
  let at = 0
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (at < length) {
          const bytes = await read(at)
          // Fewer bytes than promised: the bundle was deleted meanwhile, and the client must notice.
          if (bytes.length === 0) throw new Error('the bytes of a support bundle ended early')
          at += bytes.length
          controller.enqueue(bytes)
        }
        if (at >= length) controller.close()
      },
    },
    { highWaterMark: 0 },
  )
}
