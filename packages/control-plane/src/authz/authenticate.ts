import type { Services } from '../context/services.ts'
import { bearerToken, tokenHolder } from './access-token.ts'
import type { Actor } from './actor.ts'
import { type Recognised, recentCallers } from './recent-callers.ts'
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
  const now = services.clock()
  const callers = recentCallers(services)
  const cookie = sessionCookie(services, request)
  if (cookie !== undefined) return callers.recognise('session_cookie', cookie, now)
  const token = bearerToken(request)
  return token === undefined ? undefined : callers.recognise('access_token', token, now)
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
