import type { RoleName } from '@gantry/api/base/roles.rules'
import { deviceOf } from '@gantry/control-plane/modules/sign-in/sign-in.fixtures'
import type { Caller, TestBed } from '@gantry/control-plane/testing/control-plane'
import { sql } from 'kysely'
import type { Chance } from './chance.ts'
import { must, named } from './project.ts'

const hour = 3_600_000

/** A caller, described independently of the code under test: their silo and their roles. */
export interface Role {
  label: string
  headers: Record<string, string>
  user_id?: string
  silo_id?: string
  fleet?: RoleName
  silo?: RoleName
  /** A role on this project. */
  project?: { id: string; role: RoleName }
}

type Held = Pick<Role, 'fleet' | 'silo' | 'project'>
interface RoleScopes {
  operators: string
  demo: string
  elsewhere: string
  /** In silo `demo`. */
  project: string
}

/** Creates all callers; every second role is held through a group. */
export async function addRoles(bed: TestBed, chance: Chance, at: RoleScopes): Promise<Role[]> {
  const { operators, demo, elsewhere } = at
  const inProject = (role: RoleName): Held => ({ project: { id: at.project, role } })
  const callers: [label: string, silo: string, held: Held][] = [
    ['fleet admin', operators, { fleet: 'admin' }],
    ['fleet collaborator', operators, { fleet: 'collaborator' }],
    ['fleet viewer', operators, { fleet: 'viewer' }],
    ['silo admin', demo, { silo: 'admin' }],
    ['silo collaborator', demo, { silo: 'collaborator' }],
    ['silo limited collaborator', demo, { silo: 'limited_collaborator' }],
    ['silo viewer', demo, { silo: 'viewer' }],
    ['project admin', demo, inProject('admin')],
    ['project collaborator', demo, inProject('collaborator')],
    ['project limited collaborator', demo, inProject('limited_collaborator')],
    ['project viewer', demo, inProject('viewer')],
    ['nobody', demo, {}],
    ['admin of another silo', elsewhere, { silo: 'admin' }],
    // Probes take both.
    ['fleet admin in a project', demo, { fleet: 'admin', ...inProject('collaborator') }],
  ]
  const roles: Role[] = []
  for (const [index, [label, silo_id, held]] of callers.entries()) {
    const caller = await bed.addUser(`user-${chance.word()}`, {
      siloId: silo_id,
      roles: [
        ...(held.fleet ? [{ at: 'fleet' as const, role: held.fleet }] : []),
        ...(held.silo ? [{ at: 'silo' as const, role: held.silo }] : []),
        ...(held.project ? [{ at: { project: held.project.id }, role: held.project.role }] : []),
      ],
      ...(index % 2 === 1 && { through: 'group' as const }),
    })
    await addKey(caller, chance)
    roles.push({ label, headers: { cookie: caller.cookie }, user_id: caller.id, silo_id, ...held })
  }
  await addDevices(bed, roles, chance, at.project)
  return [...roles, { label: 'anonymous', headers: {} }]
}

export const addKey = (caller: Caller, chance: Chance) =>
  must(caller.post('/v1/me/ssh-keys', { ...named(`key-${chance.word()}`), public_key: 'ssh-ed25519 AAAA' }))

/** A device of a user with a role, one with an expired token, and an ended session. */
async function addDevices(bed: TestBed, roles: Role[], chance: Chance, project: string): Promise<void> {
  const owner = roles.find(({ label }) => label === 'silo collaborator')
  if (!owner) throw new Error('no caller is a silo collaborator')
  const { anonymous } = bed
  const caller: Caller = {
    ...anonymous,
    post: (path, body) => anonymous.call('POST', path, body, owner.headers),
  }
  const action = { action: 'stop', instances: [crypto.randomUUID()] }
  await must(caller.post(`/ext/v1/instance-actions?project=${project}`, action))
  const device = await deviceOf(bed, caller)
  roles.push({ ...owner, label: 'device token', headers: device.bearer })
  const lapsed = await deviceOf(bed, caller, { ttl_seconds: '60' })
  await sql`UPDATE device_access_token SET time_expires = ${new Date(Date.now() - hour)} WHERE id = ${lapsed.tokenId}`.execute(
    bed.db,
  )
  roles.push({ label: 'expired token', headers: lapsed.bearer })
  const guest = await bed.signIn('member').catch(() => undefined)
  const cookie = guest?.cookie ?? `session=${chance.word(40)}`
  await sql`UPDATE console_session SET time_created = ${new Date(Date.now() - 48 * hour)}
    WHERE id = (SELECT id FROM console_session ORDER BY time_created DESC LIMIT 1)`.execute(bed.db)
  roles.push({ label: 'expired session', headers: { cookie } })
}
