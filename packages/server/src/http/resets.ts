import { constants, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2'

/** A person who goes from page to page gives up dozens of requests with each, and not at this rate for long. */
const RESETS_A_SECOND = 32

/**
 * Ends a session whose client goes on giving requests up (rapid reset): such a stream counts no longer among those at
 * once, and what it began has to be done all the same.
 */
export function boundResets(session: ServerHttp2Session, most: number): void {
  let left = most
  let since = performance.now()
  const spend = (): void => {
    const now = performance.now()
    left = Math.min(most, left + ((now - since) / 1000) * RESETS_A_SECOND) - 1
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
