import type { Api } from './scenes.ts'
import type { User } from './stage.ts'

interface Policy {
  role_assignments: { identity_id: string; identity_type: string; role_name: string }[]
}

const policyPath = '/v1/system/policy'

/** Runs a part of a test in which the user has only the viewer role on the fleet. */
export async function asFleetViewer(api: Api, user: User, run: () => Promise<void>): Promise<void> {
  const { id } = (await api(user, 'GET', '/v1/me')) as { id: string }
  const before = (await api('admin', 'GET', policyPath)) as Policy
  const viewer = { identity_id: id, identity_type: 'silo_user', role_name: 'viewer' }
  await api('admin', 'PUT', policyPath, { role_assignments: [...before.role_assignments, viewer] })
  try {
    await run()
  } finally {
    await api('admin', 'PUT', policyPath, before)
  }
}
