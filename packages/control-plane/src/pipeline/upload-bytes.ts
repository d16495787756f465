import { reauthenticate } from '../authz/reauthenticate.ts'
import { readBytes } from '../parse/body.ts'
import type { Cx } from '../context/cx.ts'

/** Reads a piece of an upload, and then makes sure of the caller, who may have held it back. */
export async function readPiece(
  cx: Cx,
  maxBytes: number,
): Promise<{ raw: Request; bytes: Uint8Array<ArrayBuffer> }> {
  const { raw } = cx
  if (!raw) throw new Error('bytes come with a request')
  const bytes = await readBytes(raw, maxBytes)
  await reauthenticate(cx)
  return { raw, bytes }
}
