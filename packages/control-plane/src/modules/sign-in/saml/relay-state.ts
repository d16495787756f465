import { ownPath } from '@gantry/api/base/redirect.rules'
import { isSecret } from '@gantry/control-plane/authz/secret'
import { decodeBase64 } from '@gantry/control-plane/context/base64'
import { unreadable } from '@gantry/control-plane/context/refusal'

/**
 * Where to redirect after signing in: only a path of this origin, because anyone can craft a sign-in link.
 */
export function returnPath(wanted: string): string {
  const path = ownPath(wanted)
  if (path === undefined) throw unreadable(`${JSON.stringify(wanted)} is not a relative URI`)
  return path
}

/** The state that the identity provider returns: the redirect path, or the secret of a test sign-in. */
type RelayState = { redirect_uri: string } | { test: string }

/** Paths and secrets are ASCII. SAML allows 80 bytes; a secret fits. */
export const relayStateOf = (state: RelayState): string => btoa(JSON.stringify(state))

/** Parses the returned value, which is untrusted input. */
export function readRelayState(relayState: string): RelayState {
  const { redirect_uri, test } = (stateIn(relayState) ?? {}) as Record<string, unknown>
  if (typeof test === 'string' && isSecret(test)) return { test }
  if (typeof redirect_uri !== 'string') throw unreadable('RelayState is not one of this server')
  return { redirect_uri: returnPath(redirect_uri) }
}

function stateIn(relayState: string): unknown {
  const bytes = decodeBase64(relayState)
  try {
    return typeof bytes === 'string' ? undefined : JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return undefined
  }
}
