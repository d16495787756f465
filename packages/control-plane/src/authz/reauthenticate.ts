import type { Cx } from '../context/cx.ts'
import { isSameUser } from './actor.ts'
import { authenticate } from './authenticate.ts'

/** A caller authenticated longer ago than this is authenticated again, in ms. */
const callerHoldsMs = 1000

/**
 * A request may have waited for its turn, for its body as long as its sender liked, or have let others run while it
 * worked: a session or role that was removed meanwhile must not count.
 */
export async function reauthenticate(cx: Cx): Promise<void> {
  const since = Math.abs(cx.now().getTime() - cx.authenticated.getTime())
  if (!cx.raw || (since < callerHoldsMs && !cx.othersRan)) return
  cx.authenticated = cx.now()
  cx.othersRan = false
  cx.actor = await authenticate(cx.services, cx.raw)
  cx.user()
}

/** Whether the caller may do something else than when last authenticated. Refuses one who is gone. */
export async function mayElse(cx: Cx): Promise<boolean> {
  const before = cx.user()
  await reauthenticate(cx)
  return !isSameUser(before, cx.user())
}
