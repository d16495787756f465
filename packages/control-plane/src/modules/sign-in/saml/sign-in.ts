import { ops } from '@gantry/api/registry'
import { z } from 'zod'
import { hashSecret } from '../../../authz/secret.ts'
import type { SamlAssertion, SamlProvider } from '../../../environment.ts'
import { attempt, spend } from '../../../kernel/attempts.ts'
import { type Change, change } from '../../../kernel/change.ts'
import type { Cx } from '../../../kernel/cx.ts'
import { Reply } from '../../../kernel/implement.ts'
import { parseForm, readForm } from '../../../kernel/parse.ts'
import { notFound, unreadable } from '../../../kernel/refusal.ts'
import { assertionAttempts, samlRequestAttempts } from '../limits.ts'
import { cookieOf, insertSession, newSession } from '../open-session.ts'
import { findProvider, noSaml } from './providers.ts'
import { provisionUser } from './provision.ts'
import { pathInRelayState, relayStateOf, returnPath } from './relay-state.ts'

interface At {
  silo_name: string
  provider_name: string
}

const Response = z.object({ SAMLResponse: z.string(), RelayState: z.string().optional() })

/** An unknown silo answers as an unknown provider does. */
async function providerAt(cx: Cx, { silo_name, provider_name }: At) {
  const provider = await findProvider(cx, silo_name, provider_name)
  if (!provider) throw notFound('identity-provider', { name: provider_name })
  const { saml } = cx.services
  if (!saml) throw noSaml()
  return { provider, saml }
}

/** Sends the browser to the identity provider, which sends it back with where to go on. */
export async function beginSaml(cx: Cx, at: At, redirectUri: string | null | undefined): Promise<Reply> {
  await spend(cx, samlRequestAttempts(cx))
  const path = typeof redirectUri === 'string' ? returnPath(redirectUri) : undefined
  const { provider, saml } = await providerAt(cx, at)
  const location = await saml.signInUrl(provider, path === undefined ? undefined : relayStateOf(path))
  return new Reply(undefined, { location })
}

/** What the identity provider's page makes the browser post: who this is, signed. */
export async function finishSaml(cx: Cx, at: At): Promise<Reply> {
  if (!cx.raw) throw new Error('a browser comes with a request')
  const { raw } = cx
  // Paid for before a byte is read: anybody may send this, and who sent too much of it costs no more work.
  const { provider, assertion, path } = await attempt(cx, assertionAttempts(cx), async () => {
    const text = await readForm(raw, ops.loginSaml.bodyMax)
    const form = parseForm(Response, text) as z.infer<typeof Response>
    const path = form.RelayState ? pathInRelayState(form.RelayState) : '/'
    const { saml, ...found } = await providerAt(cx, at)
    const assertion = await saml.readResponse(found.provider, form.SAMLResponse, cx.now())
    return { ...found, assertion, path }
  })
  const { token, token_hash } = await newSession(cx)
  const assertion_hash = await hashSecret(assertion.id)
  const { silo_id } = provider
  await change(cx, { silo_id, project_id: null }, async (tx) => {
    await tx.hold('silo', silo_id)
    await useUp(tx, provider, assertion_hash, assertion)
    const user = await provisionUser(tx, silo_id, assertion)
    await insertSession(tx, user, token_hash)
  })
  return new Reply(undefined, { ...cookieOf(cx, token), location: path })
}

/** An assertion opens one session: whoever gets hold of it later comes too late. */
async function useUp(
  tx: Change,
  { id }: SamlProvider & { id: string },
  assertion_hash: string,
  { expires }: SamlAssertion,
): Promise<void> {
  const used = await tx.plain
    .insertInto('saml_used_assertion')
    .values({ saml_identity_provider_id: id, assertion_hash, time_expires: expires })
    .onConflict((conflict) => conflict.columns(['saml_identity_provider_id', 'assertion_hash']).doNothing())
    .executeTakeFirst()
  if (used.numInsertedOrUpdatedRows === 0n) throw unreadable('the assertion was used before')
}
