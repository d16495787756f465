import { isIpHost } from '@gantry/api/people/second-factor.rules'

/** Why this page cannot create and use passkeys; undefined if it can. */
export function whyNoPasskeys(): string | undefined {
  if (isIpHost(location.hostname))
    return 'Passkeys need a host name. Open the console at its host name, not its IP address.'
  if (!isSecureContext) return 'Passkeys need a secure connection. Open the console over https.'
  return 'PublicKeyCredential' in globalThis ? undefined : 'This browser does not support passkeys.'
}
