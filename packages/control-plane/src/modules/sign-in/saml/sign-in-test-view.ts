import { canonicalUuid } from '@gantry/api/base/name.rules'
import { samlTestSeconds } from '@gantry/api/people/saml.rules'
import type { SamlSignInTest, SamlSignInTestOutcome } from '@gantry/api/people/saml-check'
import { readAssignments } from '@gantry/control-plane/authz/assignments'
import type { KeptTestResult, Row } from '@gantry/control-plane/db/tables'
import type { Cx } from '@gantry/control-plane/context/cx'
import { notFound } from '@gantry/control-plane/context/refusal'
import { describeHeld } from '../../access/people.ts'
import { isUnexpired } from '../factors/expiry.ts'
import { needOwnedProvider } from './sign-in-test.ts'

/** The caller's own test, while the caller may change the provider. */
export async function viewTest(cx: Cx, given: string): Promise<SamlSignInTest> {
  const id = canonicalUuid(given)
  const test = await cx.db
    .selectFrom('saml_sign_in_test')
    .select(['saml_identity_provider_id', 'time_expires', 'result'])
    .where('id', '=', id)
    .where('silo_user_id', '=', cx.user().user_id)
    .where(isUnexpired(cx.now(), samlTestSeconds))
    .executeTakeFirst()
  if (!test) throw notFound('saml-sign-in-test', { id })
  const { provider, silo } = await needOwnedProvider(cx, { provider: test.saml_identity_provider_id })
  return {
    id,
    silo_id: silo.id,
    provider: { id: provider.id, name: provider.name },
    time_expires: test.time_expires.toISOString(),
    result: test.result && (await resultView(cx, silo, test.result)),
  }
}

/** The effect that a sign-in with this assertion would have; memberships would become exactly those it names. */
async function resultView(cx: Cx, silo: Row<'silo'>, result: KeptTestResult): Promise<SamlSignInTestOutcome> {
  if (result.outcome === 'refused') return result
  const { subject, attributes } = result
  const names = [...new Set(result.groups)].sort()
  const [user] = await idsOf(cx, 'silo_user', silo.id, [subject])
  const groups = await idsOf(cx, 'silo_group', silo.id, names)
  const ids = [...(user ? [user.id] : []), ...groups.map(({ id }) => id)]
  const held = await readAssignments(cx.db, silo.id, ids)
  const own = user ? held(user.id).filter(({ group }) => group === null) : []
  const through = groups.flatMap(({ id, external_id }) =>
    held(id).map((one) => ({ ...one, group: { id, display_name: external_id } })),
  )
  return {
    outcome: 'accepted',
    subject,
    user_exists: user !== undefined,
    attributes,
    groups: names.map((name) => ({
      display_name: name,
      exists: groups.some(({ external_id }) => external_id === name),
    })),
    roles: await describeHeld(cx, silo, [...own, ...through]),
  }
}

const idsOf = (cx: Cx, table: 'silo_user' | 'silo_group', silo_id: string, names: readonly string[]) =>
  names.length === 0
    ? Promise.resolve([])
    : cx.db
        .selectFrom(table)
        .select(['id', 'external_id'])
        .where('silo_id', '=', silo_id)
        .where('external_id', 'in', names)
        .where('time_deleted', 'is', null)
        .execute()
