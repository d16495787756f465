import { ops } from '@gantry/api/registry'
import { z } from 'zod'
import { hashSecret } from '@gantry/control-plane/authz/secret'
import type { SamlAssertion, SamlProvider } from '@gantry/control-plane/environment'
import { attempt, spend } from '@gantry/control-plane/work/attempts'
import { type Change, change, changeBefore } from '@gantry/control-plane/change/change'
import type { Cx } from '@gantry/control-plane/context/cx'
import { Reply } from '@gantry/control-plane/pipeline/implement'
import { parseForm, readForm } from '@gantry/control-plane/parse/parse'
import { notFound, Refusal, unreadable } from '@gantry/control-plane/context/refusal'
import { noteFailedSignIn } from '../sessions/failed-sign-ins.ts'
import { assertionAttempts, samlRequestAttempts } from '../password/limits.ts'
import { cookieOf, insertSession, newSession } from '../sessions/open-session.ts'
import { findProvider, holdProvider, noSaml } from './providers.ts'
import { checkNames, provisionedUser, provisionUser } from './provision.ts'
import { readRelayState, relayStateOf, returnPath } from './relay-state.ts'
import { keepResult, needTest, type RunningTest } from './sign-in-test.ts'

interface At {
  silo_name: string
  provider_name: string
}

type Provider = SamlProvider & { id: string; generation: number; silo_id: string }

const Response = z.object({ SAMLResponse: z.string(), RelayState: z.string().optional() })

/** An unknown silo is answered like an unknown provider. */
async function providerAt(cx: Cx, { silo_name, provider_name }: At) {
  const provider = await findProvider(cx, silo_name, provider_name)
  if (!provider) throw notFound('identity-provider', { name: provider_name })
  cx.request.subject = { silo_id: provider.silo_id, user_id: null }
  const { saml } = cx.services
  if (!saml) throw noSaml()
  return { provider, saml }
}

/** Redirects the browser to the identity provider, with the path to return to. */
export async function beginSaml(cx: Cx, at: At, redirectUri: string | null | undefined): Promise<Reply> {
  await spend(cx, samlRequestAttempts(cx))
  const path = typeof redirectUri === 'string' ? returnPath(redirectUri) : undefined
  const { provider, saml } = await providerAt(cx, at)
  const location = await saml.signInUrl(
    provider,
    path === undefined ? undefined : relayStateOf({ redirect_uri: path }),
  )
  return new Reply(undefined, { location })
}

/** Handles the signed response that the identity provider's page makes the browser post. */
export async function finishSaml(cx: Cx, at: At): Promise<Reply> {
  if (!cx.raw) throw new Error('a browser comes with a request')
  const { raw } = cx
  // Rate-limited before parsing: anyone may send this, and excess requests must cost nothing.
  const { provider, assertion, path, test } = await attempt(cx, assertionAttempts(cx), async () => {
    const text = await readForm(raw, ops.loginSaml.bodyMax)
    const form = parseForm(Response, text) as z.infer<typeof Response>
    const state = form.RelayState ? readRelayState(form.RelayState) : { redirect_uri: '/' }
    const { saml, provider } = await providerAt(cx, at)
    const test = 'test' in state ? await needTest(cx, provider.id, state.test) : undefined
    try {
      const assertion = await saml.readResponse(provider, form.SAMLResponse, cx.now())
      checkNames(assertion)
      return { provider, assertion, test, path: 'test' in state ? '' : state.redirect_uri }
    } catch (error) {
      if (test) await refuseTest(cx, provider, test, error)
      throw error
    }
  })
  if (test) return finishTest(cx, provider, test, assertion)
  return signIn(cx, provider, assertion, path).catch(async (error: unknown) => {
    if (error instanceof Refusal) await noteFailedSignIn(cx, at.silo_name, assertion.subject)
    throw error
  })
}

async function signIn(cx: Cx, provider: Provider, assertion: SamlAssertion, path: string): Promise<Reply> {
  const { token, token_hash } = await newSession(cx)
  const assertion_hash = await hashSecret(assertion.id)
  const { silo_id } = provider
  await change(cx, { silo_id, project_id: null }, async (tx) => {
    await tx.hold('silo', silo_id)
    await holdProvider(tx, provider)
    await consumeAssertion(tx, provider, assertion_hash, assertion)
    const { identity_mode } = await tx.read
      .selectFrom('silo')
      .select('identity_mode')
      .where('id', '=', silo_id)
      .executeTakeFirstOrThrow()
    const user = await (identity_mode === 'saml_scim' ? provisionedUser : provisionUser)(
      tx,
      silo_id,
      assertion,
    )
    await insertSession(tx, user, token_hash)
    cx.request.subject = { silo_id, user_id: user.id }
  })
  return new Reply(undefined, { ...cookieOf(cx, token), location: path })
}

/**
 * Stores the provider's answer and opens no session. The assertion is still consumed, so that it cannot be used
 * to sign in.
 */
async function finishTest(
  cx: Cx,
  provider: Provider,
  test: RunningTest,
  assertion: SamlAssertion,
): Promise<Reply> {
  const assertion_hash = await hashSecret(assertion.id)
  const { silo_id } = provider
  const { subject, groups, attributes } = assertion
  await change(cx, { silo_id, project_id: null }, async (tx) => {
    await tx.hold('silo', silo_id)
    await consumeAssertion(tx, provider, assertion_hash, assertion)
    await keepResult(tx, test, { outcome: 'accepted', subject, groups, attributes })
  })
  return new Reply(undefined, { location: test.redirect_uri })
}

/** A busy server says nothing about the response, so the test stays pending. */
async function refuseTest(cx: Cx, { silo_id }: Provider, test: RunningTest, error: unknown): Promise<void> {
  if (!(error instanceof Refusal) || error.status !== 400) return
  const { message } = error
  await changeBefore(cx, { silo_id, project_id: null }, (tx) =>
    keepResult(tx, test, { outcome: 'refused', message }),
  )
}

/** An assertion opens one session: a later replay is refused. */
async function consumeAssertion(
  tx: Change,
  { id }: Provider,
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
