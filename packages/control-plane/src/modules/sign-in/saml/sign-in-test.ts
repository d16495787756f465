import { samlTestSeconds } from '@gantry/api/people/saml.rules'
import type { SamlSignInTestBegun } from '@gantry/api/people/saml-check'
import { hasFleetRoles } from '@gantry/control-plane/authz/fleet-stake'
import { findPerson } from '@gantry/control-plane/authz/person'
import { hashSecret, newSecret } from '@gantry/control-plane/authz/secret'
import type { KeptTestResult } from '@gantry/control-plane/db/tables'
import { spend } from '@gantry/control-plane/work/attempts'
import { type Change, change } from '@gantry/control-plane/change/change'
import type { Cx } from '@gantry/control-plane/context/cx'
import { allow, type Known, know, need, type Selectors } from '@gantry/control-plane/lookup/need'
import { unreadable } from '@gantry/control-plane/context/refusal'
import { samlRequestAttempts } from '../password/limits.ts'
import { expiryAfter, isUnexpired } from '../factors/expiry.ts'
import { findProvider, noSaml } from './providers.ts'
import { relayStateOf, returnPath } from './relay-state.ts'

/** A provider that the caller may change, with its silo. */
export async function needOwnedProvider(cx: Cx, at: Selectors) {
  const provider: Known<'saml_identity_provider'> = await know(cx, 'saml_identity_provider', at)
  const { row: silo } = await need(cx, 'silo', { silo: provider.row.silo_id }, 'read')
  allow(cx, provider, 'modify', { fleet_stake: await hasFleetRoles(cx.db, silo) })
  return { provider: provider.row, silo }
}

/** One test per user and provider: a new one ends its predecessor. */
export async function beginTest(
  cx: Cx,
  at: Selectors,
  redirectUri: string | null | undefined,
): Promise<SamlSignInTestBegun> {
  const { provider, silo } = await needOwnedProvider(cx, at)
  const { saml } = cx.services
  if (!saml) throw noSaml()
  const redirect_uri = returnPath(redirectUri ?? '/')
  await spend(cx, samlRequestAttempts(cx))
  const found = await findProvider(cx, silo.name, provider.name)
  if (!found) throw unreadable('the identity provider was deleted')
  const secret = newSecret(cx.services)
  const sign_in_url = await saml.signInUrl(found, relayStateOf({ test: secret }))
  const whose = { silo_user_id: cx.user().user_id, saml_identity_provider_id: provider.id }
  const fresh = {
    id: cx.newId(),
    secret_hash: await hashSecret(secret),
    redirect_uri,
    time_expires: expiryAfter(cx.now(), samlTestSeconds),
    result: null,
  }
  await change(cx, { silo_id: silo.id, project_id: null }, async (tx) => {
    await tx.plain
      .insertInto('saml_sign_in_test')
      .values({ ...whose, ...fresh })
      .onConflict((conflict) =>
        conflict.columns(['silo_user_id', 'saml_identity_provider_id']).doUpdateSet(fresh),
      )
      .execute()
  })
  return { id: fresh.id, sign_in_url, time_expires: fresh.time_expires.toISOString() }
}

export interface RunningTest {
  id: string
  redirect_uri: string
}

/**
 * The test of a response. The request is then attributed to the user who began the test, because the audit
 * record must not read like a sign-in.
 */
export async function needTest(cx: Cx, providerId: string, secret: string): Promise<RunningTest> {
  const row = await cx.db
    .selectFrom('saml_sign_in_test')
    .select(['id', 'redirect_uri', 'silo_user_id'])
    .where('secret_hash', '=', await hashSecret(secret))
    .where('saml_identity_provider_id', '=', providerId)
    .where('result', 'is', null)
    .where(isUnexpired(cx.now(), samlTestSeconds))
    .executeTakeFirst()
  const person = row && (await findPerson(cx.services, row.silo_user_id))
  if (!row || !person) throw testEnded()
  cx.actor = person
  return row
}

/** A test takes one result, which stays readable until the test expires. */
export async function keepResult(tx: Change, { id }: RunningTest, result: KeptTestResult): Promise<void> {
  const kept = await tx.plain
    .updateTable('saml_sign_in_test')
    .set({
      result: JSON.stringify(result),
      time_expires: expiryAfter(tx.cx.now(), samlTestSeconds),
    })
    .where('id', '=', id)
    .where('result', 'is', null)
    .executeTakeFirst()
  if (kept.numUpdatedRows === 0n) throw testEnded()
}

const testEnded = () => unreadable('the test sign-in has ended or was never started')
