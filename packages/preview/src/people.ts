import type { User } from '@gantry/api/me'
import type { Caller } from './caller.ts'

/** Of every person of silo `demo`. Whoever has this page has all that is in it, so it is no secret. */
export const password = 'open-to-everybody'

export interface Person {
  /** By which they sign in. */
  name: string
  /** What they may do, in two or three words. */
  role: string
}

/** One of each kind, from the strongest down; the first is signed in at first. */
export const people = [
  { name: 'admin', role: 'Fleet admin' },
  { name: 'owner', role: 'Silo admin' },
  { name: 'member', role: 'Collaborator' },
  { name: 'viewer', role: 'Viewer' },
  { name: 'newcomer', role: 'No group and no role' },
] as const satisfies readonly Person[]

/** Makes those whom the demo contents lack, as an administrator would. */
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
