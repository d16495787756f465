import type { OutputOf } from '@gantry/api/client/client'
import { nameFieldProblem } from '@gantry/api/name.rules'

export type LoginMethods = OutputOf<'loginMethodView'>

/** What a silo of a server that tells of no methods is taken to have. */
export const localOnly: LoginMethods = { local: true, passkey: false, saml: [] }

/** The silo to begin with: the one asked for, else the last that worked, else the only one; undefined asks. */
export function firstSilo(
  asked: string | undefined,
  last: string | undefined,
  listed: readonly { name: string }[],
): string | undefined {
  const silo = asked ?? last ?? (listed.length === 1 ? listed[0]?.name : undefined)
  return silo !== undefined && nameFieldProblem(silo) === undefined ? silo : undefined
}

/**
 * The names of the identity providers to offer. A silo that nobody may find names none, so the one that was used here
 * before is offered in its place.
 */
export function providersOf({ saml }: LoginMethods, last: string | undefined): string[] {
  const names = saml.map(({ name }) => name)
  return names.length === 0 && last !== undefined ? [last] : names
}

/**
 * Where signing in by an identity provider begins, which is the server's. Only what would end the value is encoded, as
 * other clients of this address write it.
 */
export function samlPath(silo: string, provider: string, returnTo?: string): string {
  const begin = `/login/${encodeURIComponent(silo)}/saml/${encodeURIComponent(provider)}/redirect`
  if (returnTo === undefined) return begin
  return `${begin}?redirect_uri=${encodeURIComponent(returnTo).replaceAll(/%(2F|3A|3D|3F)/g, decodeURIComponent)}`
}
