import type { Cx } from '@gantry/control-plane/context/cx'
import { Refusal } from '@gantry/control-plane/context/refusal'

/**
 * Operations for users at a browser only, because they grant access beyond the end of an access token, or tell more than
 * what it gives access to.
 */
const acts = {
  device: 'approve devices',
  factors: 'change second factors',
  requests: 'read the requests of their users, in which user data is',
  tokens: 'make or delete access tokens',
} as const

/** The caller's session. The holder of an access token must not be able to keep the access that it gives. */
export function needSession(cx: Cx, act: keyof typeof acts): string {
  const { credential } = cx.user()
  if (credential?.method !== 'session_cookie')
    throw new Refusal('Forbidden', `access tokens cannot ${acts[act]}`, {
      help: 'Sign in to the console with a browser and do it there.',
    })
  return credential.id
}
