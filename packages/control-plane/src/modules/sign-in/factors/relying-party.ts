import { isIpHost } from '@gantry/api/people/second-factor.rules'
import type { WebAuthn } from '@gantry/control-plane/environment'
import type { Cx } from '@gantry/control-plane/context/cx'
import { ownOrigin } from '@gantry/control-plane/context/origin'
import { invalid } from '@gantry/control-plane/context/refusal'

export interface RelyingParty {
  origin: string
  rp_id: string
  webauthn: WebAuthn
}

/** The identity under which browsers know this server for passkeys; undefined if it can have none. */
export function relyingPartyOf({ services, raw }: Cx): RelyingParty | undefined {
  const { webauthn } = services
  if (!webauthn || !raw) return undefined
  const origin = ownOrigin(services, raw)
  const { hostname } = new URL(origin)
  return isIpHost(hostname) ? undefined : { origin, rp_id: hostname, webauthn }
}

export function needRelyingParty(cx: Cx): RelyingParty {
  const party = relyingPartyOf(cx)
  if (!party)
    throw invalid(
      'passkeys cannot be used here',
      'Open the server at its host name over https. Passkeys are bound to a host name, not to an IP address.',
    )
  return party
}
