import { constants, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2'

/** Quick navigation between pages abandons dozens of requests each time, but not at this rate for long. */
const RESETS_A_SECOND = 32

/**
 * Ends a session whose client keeps resetting streams (rapid reset): such a stream no longer counts as
 * concurrent, but the work it started must still be done.
 */
export function limitResets(session: ServerHttp2Session, limit: number): void {
  let left = limit
  let since = performance.now()
  const spend = (): void => {
    const now = performance.now()
    left = Math.min(limit, left + ((now - since) / 1000) * RESETS_A_SECOND) - 1
    since = now
    if (left >= 0 || session.destroyed) return
    session.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM)
    session.destroy()
  }
  session.on('stream', (stream: ServerHttp2Stream) => {
    stream.once('close', () => {
      if (!stream.writableFinished || stream.rstCode !== constants.NGHTTP2_NO_ERROR) spend()
    })
  })
}
