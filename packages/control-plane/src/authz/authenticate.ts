import type { Services } from '../context/services.ts'
import { bearerToken, tokenHolder } from './access-token.ts'
import type { Actor } from './actor.ts'
import type { Recognised } from './recent-callers.ts'
import { openSession, sessionCookie } from './session.ts'

/**
 * Identifies the caller. A session cookie takes precedence, and an invalid one is refused whatever other
 * credentials the request carries (control plane reference, A 5.1).
 */
export async function authenticate(services: Services, request: Request): Promise<Actor> {
  const cookie = sessionCookie(services, request)
  if (cookie === undefined) return bearerOf(services, request)
  const session = await openSession(services, cookie)
  session.touch()
  return session.holder
}

/** The caller as read a moment ago, if so; the request must still prove it. */
export function recognise(services: Services, request: Request): Recognised | undefined {
  const { recentCallers, clock } = services
  const cookie = sessionCookie(services, request)
  if (cookie !== undefined) return recentCallers.recognise('session_cookie', cookie, clock())
  const token = bearerToken(request)
  return token === undefined ? undefined : recentCallers.recognise('access_token', token, clock())
}

/** Identifies the listener of a stream, without keeping a session from idling out. */
export async function identifyListener(services: Services, request: Request): Promise<Actor> {
  const cookie = sessionCookie(services, request)
  return cookie === undefined ? bearerOf(services, request) : (await openSession(services, cookie)).holder
}

async function bearerOf(services: Services, request: Request): Promise<Actor> {
  const token = bearerToken(request)
  return token === undefined ? { kind: 'anonymous' } : tokenHolder(services, token)
}
