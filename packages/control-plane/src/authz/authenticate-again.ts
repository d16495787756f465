import type { Cx } from '../context/cx.ts'
import { authenticate } from './authenticate.ts'

/** A caller authenticated longer ago than this is authenticated again, in ms. */
const callerHoldsMs = 1000

/**
 * A request may have waited for its turn, and for its body as long as its sender liked: a session or role that
 * was taken away meanwhile must not count.
 */
export async function authenticateAgain(cx: Cx): Promise<void> {
  const waited = Math.abs(cx.now().getTime() - cx.request.time_started.getTime())
  if (!cx.raw || waited < callerHoldsMs) return
  cx.actor = await authenticate(cx.services, cx.raw)
  cx.user()
}
