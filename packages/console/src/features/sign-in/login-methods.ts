import type { OutputOf } from '@gantry/api/client/client'
import { nameFieldProblem } from '@gantry/api/base/name.rules'

export type LoginMethods = OutputOf<'loginMethodView'>

/** The assumed methods of a silo, on servers that do not list them. */
export const localOnly: LoginMethods = { local: true, passkey: false, saml: [] }

/** The initial silo: the requested one, else the last successful one, else the only one. Undefined asks the user. */
export function firstSilo(
  asked: string | undefined,
  last: string | undefined,
  listed: readonly { name: string }[],
): string | undefined {
  const silo = asked ?? last ?? (listed.length === 1 ? listed[0]?.name : undefined)
  return silo !== undefined && nameFieldProblem(silo) === undefined ? silo : undefined
}

/**
 * The identity providers to offer. An unlisted silo names none, so the one last used in this browser is offered
 * instead.
 */
export function providersOf({ saml }: LoginMethods, last: string | undefined): string[] {
  const names = saml.map(({ name }) => name)
  return names.length === 0 && last !== undefined ? [last] : names
}

/**
 * Where sign-in through an identity provider begins, on the server. Encodes only characters that would end the value,
 * like other clients of this address.
 */
export function samlPath(silo: string, provider: string, returnTo?: string): string {
  const begin = `/login/${encodeURIComponent(silo)}/saml/${encodeURIComponent(provider)}/redirect`
  if (returnTo === undefined) return begin
  return `${begin}?redirect_uri=${encodeURIComponent(returnTo).replaceAll(/%(2F|3A|3D|3F)/g, decodeURIComponent)}`
}
