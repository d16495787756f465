import type { RoleName } from '@gantry/api/base/roles.rules'
import { fleetId } from '../authz/actor.ts'
import type { NewRow, Row } from '../db/tables.ts'
import type { Change } from '../change/change.ts'

export async function insertUser(
  tx: Change,
  silo_id: string,
  external_id: string,
  hash: string,
): Promise<string> {
  const user = await tx.insert('silo_user', { silo_id, external_id })
  await tx.plain.insertInto('silo_user_password').values({ silo_user_id: user.id, hash }).execute()
  return user.id
}

type Assigned = Pick<NewRow<'role_assignment'>, 'resource_type' | 'resource_id' | 'role_name'>

export const grant = (
  tx: Change,
  identity_id: string,
  assigned: Assigned,
  identity: 'user' | 'group' = 'user',
) =>
  tx.roles
    .insertInto('role_assignment')
    .values({ ...assigned, identity_type: `silo_${identity}`, identity_id })
    .execute()

export const onFleet = (role_name: RoleName): Assigned => ({
  resource_type: 'fleet',
  resource_id: fleetId,
  role_name,
})
export const onSilo = ({ id }: Row<'silo'>, role_name: RoleName): Assigned => ({
  resource_type: 'silo',
  resource_id: id,
  role_name,
})
export const onProject = ({ id }: Row<'project'>, role_name: RoleName): Assigned => ({
  resource_type: 'project',
  resource_id: id,
  role_name,
})
