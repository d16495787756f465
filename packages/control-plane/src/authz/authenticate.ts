import type { Services } from '../kernel/cx.ts'
import { bearerToken, tokenHolder } from './access-token.ts'
import type { Actor } from './actor.ts'
import { openSession, sessionCookie } from './session.ts'

/**
 * Who calls. A session's cookie comes first, and one that opens nothing is refused whatever else the request
 * brings (control plane reference, A 5.1).
 */
export async function authenticate(services: Services, request: Request): Promise<Actor> {
  const cookie = sessionCookie(services, request)
  if (cookie === undefined) return bearerOf(services, request)
  const session = await openSession(services, cookie)
  session.touch()
  return session.holder
}

/** Who still listens at the end of a stream, which does not keep a session from going idle. */
export async function identifyListener(services: Services, request: Request): Promise<Actor> {
  const cookie = sessionCookie(services, request)
  return cookie === undefined ? bearerOf(services, request) : (await openSession(services, cookie)).holder
}

async function bearerOf(services: Services, request: Request): Promise<Actor> {
  const token = bearerToken(request)
  return token === undefined ? { kind: 'anonymous' } : tokenHolder(services, token)
}
