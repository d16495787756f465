import type { Api } from './scenes.ts'
import type { User } from './stage.ts'

interface Policy {
  role_assignments: { identity_id: string; identity_type: string; role_name: string }[]
}

const policyPath = '/v1/system/policy'

/** Runs a part of a test in which the user has only the viewer role on the fleet. */
export const asFleetViewer = (api: Api, user: User, run: () => Promise<void>): Promise<void> =>
  withFleetRole(api, user, 'viewer', run)

/** Runs a part of a test in which the user has only this role on the fleet. */
export async function withFleetRole(
  api: Api,
  user: User,
  role_name: 'viewer' | 'collaborator',
  run: () => Promise<void>,
): Promise<void> {
  const { id } = (await api(user, 'GET', '/v1/me')) as { id: string }
  const before = (await api('admin', 'GET', policyPath)) as Policy
  const added = { identity_id: id, identity_type: 'silo_user', role_name }
  await api('admin', 'PUT', policyPath, { role_assignments: [...before.role_assignments, added] })
  try {
    await run()
  } finally {
    await api('admin', 'PUT', policyPath, before)
  }
}
