import { ownPath } from '@gantry/api/redirect.rules'
import { decodeBase64 } from '../../../kernel/base64.ts'
import { unreadable } from '../../../kernel/refusal.ts'

/** Where to go on after signing in: only ever a path of this origin, since anybody can write a link to the sign-in. */
export function returnPath(wanted: string): string {
  const path = ownPath(wanted)
  if (path === undefined) throw unreadable(`${JSON.stringify(wanted)} is not a relative URI`)
  return path
}

/** What travels to the identity provider and back; paths are ASCII by then. */
export const relayStateOf = (path: string): string => btoa(JSON.stringify({ redirect_uri: path }))

/** The path in what came back, which is whatever the browser was made to send. */
export function pathInRelayState(relayState: string): string {
  const { redirect_uri } = (stateIn(relayState) ?? {}) as { redirect_uri?: unknown }
  if (typeof redirect_uri !== 'string') throw unreadable('RelayState is not one of this server')
  return returnPath(redirect_uri)
}

function stateIn(relayState: string): unknown {
  const bytes = decodeBase64(relayState)
  try {
    return typeof bytes === 'string' ? undefined : JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return undefined
  }
}
