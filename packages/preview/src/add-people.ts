import type { User } from '@gantry/api/people/me'
import type { Caller } from './caller.ts'
import { password } from './people.ts'

/** Creates the users that the demo contents lack, as an administrator would. */
export async function addPeople(admin: Pick<Caller, 'call'>): Promise<void> {
  const add = (external_id: string) =>
    admin.call<User>('POST', '/v1/system/identity-providers/local/users?silo=demo', {
      external_id,
      password: { mode: 'password', value: password },
    })
  const owner = await add('owner')
  await add('newcomer')
  const { role_assignments } = await admin.call<{ role_assignments: object[] }>('GET', '/v1/policy')
  const assigned = { identity_type: 'silo_user', identity_id: owner.id, role_name: 'admin' }
  await admin.call('PUT', '/v1/policy', { role_assignments: [...role_assignments, assigned] })
}
