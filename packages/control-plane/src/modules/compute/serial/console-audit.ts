import type { ByteSocket } from '@gantry/control-plane/environment'
import type { Row } from '@gantry/control-plane/db/tables'
import { auditRow } from '@gantry/control-plane/change/audit'
import type { Cx } from '@gantry/control-plane/context/cx'

interface Seen {
  bytes_in: number
  bytes_out: number
  /** Why the server ended it; null if the user did. */
  reason: string | null
}

/**
 * Audits the start and the end of a serial console or a screen under the same request id, without what was typed or
 * shown. A console whose record cannot be written is closed. Resolves when both are written.
 */
export async function auditedConsole(
  cx: Cx,
  { id: instance_id, name: instance }: Pick<Row<'instance'>, 'id' | 'name'>,
  socket: ByteSocket,
  open: (socket: ByteSocket) => void,
  what: 'serial console' | 'screen' = 'serial console',
): Promise<void> {
  const { log, db } = cx.services
  const began = cx.now()
  const seen: Seen = { bytes_in: 0, bytes_out: 0, reason: null }
  const write = (details: Record<string, unknown>) =>
    db
      .insertInto('audit')
      .values({
        ...auditRow(cx, { status: 101 }),
        details: JSON.stringify({ instance_id, instance, ...details }),
      })
      .execute()
  try {
    let counted = socket
    const ended = new Promise<void>((resolve) => {
      counted = counting(socket, seen, resolve)
    })
    // Early keystrokes do not wait for the record.
    open(counted)
    await write({ event: 'begin' }).catch((error: unknown) => {
      counted.close(1011, `The ${what} failed. Connect again.`)
      throw error
    })
    await ended
    const seconds = Math.max(0, Math.round((cx.now().getTime() - began.getTime()) / 1000))
    await write({ event: 'end', seconds, ...seen })
  } catch (error) {
    log.error({ err: error, instance: instance_id }, `could not write the audit record of a ${what}`)
  }
}

/** Wraps a socket to count its traffic, and to report its end by either side. */
function counting(socket: ByteSocket, seen: Seen, ended: () => void): ByteSocket {
  let isOver = false
  const end = (reason: string | null): void => {
    if (!isOver) seen.reason = reason
    isOver = true
    ended()
  }
  socket.onClose(() => end(null))
  return {
    send: (bytes) => {
      seen.bytes_out += bytes.length
      socket.send(bytes)
    },
    close: (code, reason) => {
      // The other side may take long to close; what it sends until then has no effect.
      end(reason)
      socket.close(code, reason)
    },
    onBytes: (listener) =>
      socket.onBytes((bytes) => {
        if (isOver) return
        seen.bytes_in += bytes.length
        listener(bytes)
      }),
    onClose: (listener) => socket.onClose(listener),
    buffered: () => socket.buffered(),
  }
}
