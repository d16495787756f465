import { strongestRole } from '@gantry/api/base/roles.rules'
import type { ServiceAccount, ServiceAccountCreate } from '@gantry/api/people/service-account'
import { sql } from 'kysely'
import { stillValid } from '../../authz/access-token.ts'
import { holdsFleetRole } from '../../authz/fleet-stake.ts'
import { change } from '../../change/change.ts'
import { addAssignment } from '../../change/policies.ts'
import type { Cx } from '../../context/cx.ts'
import { alreadyExists } from '../../context/refusal.ts'
import type { Reader } from '../../db/database.ts'
import type { Row } from '../../db/tables.ts'
import { type ListQuery, listPage } from '../../list/page.ts'
import { aim, allow, type Found, know, need, needOwnSilo, type Selectors } from '../../lookup/need.ts'
import { resourceView } from '../../lookup/views.ts'
import type { Input } from '../../pipeline/implement.ts'
import { removePeople } from '../people/remove-people.ts'

type Account = Row<'service_account'>

export async function listAccounts(cx: Cx, query: ListQuery) {
  const { items, next_page } = await listPage(
    cx,
    'service_account',
    query,
    async (at) => {
      if (at.project)
        return { where: { project_id: (await need(cx, 'project', at, 'list_children')).row.id } }
      const { silo_id } = needOwnSilo(cx, 'list_children', 'siloUser')
      return { where: { silo_id, project_id: null } }
    },
    (row) => row,
  )
  return { items: await viewsOf(cx, cx.db, items), next_page }
}

export async function viewAccount(cx: Cx, at: Selectors): Promise<ServiceAccount> {
  const { row } = await need(cx, 'service_account', at, 'read')
  return viewOf(cx, cx.db, row)
}

/** Where an account is, and what its role is given by. */
interface Place {
  silo_id: string
  project_id: string | null
}
/**
 * What its user is called in the silo, where all users see each other: of an account of a project with a part of its id,
 * because other projects have accounts of that name, and not all users may know of the project.
 */
const userName = ({ id, name, project_id }: Pick<Account, 'id' | 'name' | 'project_id'>): string =>
  project_id === null ? name : `${name}@${id.slice(0, 8)}`

const policyOf = ({ silo_id, project_id }: Place) =>
  project_id === null
    ? ({ resource_type: 'silo', resource_id: silo_id } as const)
    : ({ resource_type: 'project', resource_id: project_id } as const)

/** For callers who may give roles there: an account can do what it has a role for. */
async function needPlace(cx: Cx, { project }: Selectors, hasRole: boolean): Promise<Place> {
  if (project) {
    const { row } = await need(cx, 'project', { project }, 'modify')
    return { silo_id: row.silo_id, project_id: row.id }
  }
  const { silo_id } = needOwnSilo(cx, 'create_child', 'siloUser')
  if (hasRole) allow(cx, await know(cx, 'silo', { silo: silo_id }), 'modify')
  return { silo_id, project_id: null }
}

export async function createAccount(
  cx: Cx,
  at: Selectors,
  { name, description, role_name }: ServiceAccountCreate,
): Promise<ServiceAccount> {
  const hasRole = role_name !== undefined && role_name !== null
  const place = await needPlace(cx, at, hasRole)
  return change(cx, place, async (tx) => {
    await (place.project_id === null ? tx.hold('silo', place.silo_id) : tx.hold('project', place.project_id))
    const { silo_id, project_id: within_project_id } = place
    const account = await tx.insert('service_account', { name, description, ...place })
    const { id } = account
    const external_id = userName(account)
    await namedUser(external_id, () =>
      tx.insert('silo_user', { id, silo_id, external_id, is_service_account: true, within_project_id }),
    )
    if (hasRole)
      await addAssignment(tx, policyOf(place), { identity_id: id, identity_type: 'silo_user', role_name })
    return viewOf(cx, tx.read, account)
  })
}

/** Refuses a name that a user of the silo has: activity tells who did something by that name. */
const namedUser = (external_id: string, write: () => Promise<Row<'silo_user'>>) =>
  write().catch((error: unknown) => {
    const { constraint } = error as { constraint?: string }
    throw constraint === 'silo_user_external_key' ? alreadyExists('silo-user', external_id) : error
  })

/** An account whose access the caller manages. */
export async function needManaged(cx: Cx, at: Selectors): Promise<Found<'service_account'>> {
  const account = await know(cx, 'service_account', at)
  const { id, project_id } = account.row
  if (project_id !== null) allow(cx, account, 'modify', { as: 'project' })
  else {
    const silo = await know(cx, 'silo', { silo: account.row.silo_id })
    allow(cx, account, 'modify', { fleet_stake: await holdsFleetRole(cx.db, silo.row, id) })
  }
  aim(cx, account.row)
  return account
}

export async function updateAccount(
  cx: Cx,
  at: Selectors,
  body: Input<'serviceAccountUpdate'>['body'],
): Promise<ServiceAccount> {
  const { row, scope } = await needManaged(cx, at)
  return change(cx, scope, async (tx) => {
    const account = await tx.lock('service_account', row)
    const user = await tx.lockById('silo_user', row.id)
    const name = body.name ?? account.name
    const external_id = userName({ ...account, name })
    if (name !== account.name)
      await namedUser(external_id, () => tx.update('silo_user', user, { external_id }))
    const description = body.description ?? account.description
    return viewOf(cx, tx.read, await tx.update('service_account', account, { name, description }))
  })
}

export async function deleteAccount(cx: Cx, at: Selectors): Promise<void> {
  const { row, scope } = await needManaged(cx, at)
  await change(cx, scope, async (tx) => {
    await tx.lock('service_account', row)
    await removePeople(tx, [await tx.lockById('silo_user', row.id)])
  })
}

async function viewOf(cx: Cx, db: Reader, row: Account): Promise<ServiceAccount> {
  const [view] = await viewsOf(cx, db, [row])
  if (!view) throw new Error('a row makes a view')
  return view
}

type Held = Pick<ServiceAccount, 'token_count'> & {
  id: string
  roles: NonNullable<ServiceAccount['role_name']>[]
}

async function viewsOf(cx: Cx, db: Reader, rows: readonly Account[]): Promise<ServiceAccount[]> {
  if (rows.length === 0) return []
  const held = await sql<Held>`
    SELECT a.id,
      (SELECT count(*)::int FROM device_access_token t WHERE t.silo_user_id = a.id AND ${stillValid(cx.now())})
        AS token_count,
      (SELECT coalesce(jsonb_agg(r.role_name), '[]') FROM role_assignment r WHERE r.identity_type = 'silo_user'
        AND r.identity_id = a.id AND r.resource_id = coalesce(a.project_id, a.silo_id)) AS roles
    FROM service_account a WHERE a.id = ANY (${rows.map(({ id }) => id)}::uuid[])`.execute(db)
  const heldBy = new Map(held.rows.map((one) => [one.id, one]))
  return rows.map((row) => {
    const { token_count = 0, roles = [] } = heldBy.get(row.id) ?? {}
    return resourceView<ServiceAccount>(row, {
      project_id: row.project_id,
      role_name: strongestRole(roles) ?? null,
      token_count,
    })
  })
}
