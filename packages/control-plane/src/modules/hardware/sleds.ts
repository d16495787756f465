import type { SledInstance, SledToAdd, UninitializedSled } from '@gantry/api/system/hardware'
import type { ProvisionPolicy } from '@gantry/api/system/hardware.rules'
import { sql } from 'kysely'
import { change, fleetScope } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import type { Reader } from '../../db/database.ts'
import { need, needFleet, type Selectors } from '../../lookup/need.ts'
import { type ListQuery, listPage } from '../../list/page.ts'
import { alreadyExists, conflict, invalidValue, notFound, refuseIf } from '../../context/refusal.ts'
import { runningDrain } from '../compute/drain/store.ts'
import { insertSleds } from './parts.ts'
import { lockRacks, recordMembers } from './rack-membership.ts'
import { policyOf } from './views.ts'

/** Instances stay where they run; only new placements follow the policy. */
export async function setProvisionPolicy(
  cx: Cx,
  at: Selectors,
  state: ProvisionPolicy,
): Promise<{ old_state: ProvisionPolicy; new_state: ProvisionPolicy }> {
  const { row } = await need(cx, 'sled', at, 'modify')
  return change(cx, fleetScope, async (tx) => {
    const sled = await tx.lock('sled', row)
    refuseIf(
      (sled.policy !== 'in_service' || sled.state !== 'active') &&
        conflict(
          `sled id ${sled.id} has current policy ${sled.policy} and the transition to ${state} is not permitted`,
          'Only sleds in service have a provision policy.',
        ),
    )
    const is_provisionable = state === 'provisionable'
    refuseIf(
      is_provisionable &&
        (await runningDrain(tx.read, sled.id)) !== undefined &&
        conflict('the sled is being drained', 'Cancel the drain first, or wait until it is done.'),
    )
    const old_state = policyOf(sled)
    if (old_state !== state) await tx.update('sled', sled, { is_provisionable })
    return { old_state, new_state: state }
  })
}

/** All of them at once, so no token is one of this list (control plane reference, A 4.3). */
export async function listUninitialized(
  cx: Cx,
  page_token: string | null | undefined,
): Promise<{ items: UninitializedSled[]; next_page: string | null }> {
  needFleet(cx, 'list_children')
  if (page_token) throw invalidValue('page_token', 'the list has only one page', 'Leave the token out.')
  const rows = await cx.db.selectFrom('uninitialized_sled').selectAll().orderBy('cubby').execute()
  return {
    items: rows.map(({ part, serial, revision, rack_id, cubby }) => ({
      baseboard: { part, serial, revision },
      rack_id,
      cubby,
    })),
    next_page: null,
  }
}

/** The simulated rack adds a sled at once; a real one would need minutes. */
export async function addSled(cx: Cx, { serial, part }: SledToAdd): Promise<{ id: string }> {
  needFleet(cx, 'modify')
  return change(cx, fleetScope, async (tx) => {
    await lockRacks(tx)
    const found = await tx.plain
      .selectFrom('uninitialized_sled')
      .selectAll()
      .where('serial', '=', serial)
      .where('part', '=', part)
      .forUpdate()
      .executeTakeFirst()
    const known = await tx.read
      .selectFrom('sled')
      .select('id')
      .where('serial', '=', serial)
      .where('part', '=', part)
      .where('time_deleted', 'is', null)
      .executeTakeFirst()
    if (known)
      throw alreadyExists(
        'sled',
        `${serial} (${part}): ${known.id}`,
        'The sled is already part of the rack. Choose an uninitialized one.',
      )
    if (!found)
      throw notFound('sled', { text: `uninitialized sled with serial "${serial}" and part "${part}"` })
    await tx.plain
      .deleteFrom('uninitialized_sled')
      .where('serial', '=', serial)
      .where('part', '=', part)
      .execute()
    const [id] = await insertSleds(tx, [found])
    await recordMembers(tx, found.rack_id)
    if (!id) throw new Error('a sled without an id')
    return { id }
  })
}

const runsOn = (sledId: string) =>
  sql`EXISTS (SELECT 1 FROM vmm v WHERE v.instance_id = t.id AND v.sled_id = ${sledId} AND v.time_gone IS NULL)`

/** Instances with a VM on the sled, of all silos. */
export async function listSledInstances(
  cx: Cx,
  at: Selectors,
  query: ListQuery,
): Promise<{ items: SledInstance[]; next_page: string | null }> {
  const { row: sled } = await need(cx, 'sled', at, 'list_children')
  const source = () => ({ where: {}, and: runsOn(sled.id) })
  const { items, next_page } = await listPage(cx, 'instance', query, source, (row) => row)
  const names = await namesOf(cx.db, [...new Set(items.map(({ project_id }) => project_id))])
  return {
    items: items.map((row) => ({
      id: row.id,
      time_created: row.time_created.toISOString(),
      time_modified: row.time_modified.toISOString(),
      active_sled_id: sled.id,
      migration_id: null,
      name: row.name,
      silo_name: names.get(row.project_id)?.silo_name ?? '',
      project_name: names.get(row.project_id)?.project_name ?? '',
      state: row.run_state,
      ncpus: row.ncpus,
      memory: row.memory,
    })),
    next_page,
  }
}

async function namesOf(db: Reader, projectIds: readonly string[]) {
  if (projectIds.length === 0) return new Map<string, { project_name: string; silo_name: string }>()
  const rows = await db
    .selectFrom('project')
    .innerJoin('silo', 'silo.id', 'project.silo_id')
    .select(['project.id', 'project.name as project_name', 'silo.name as silo_name'])
    .where('project.id', 'in', projectIds)
    .execute()
  return new Map(rows.map(({ id, ...names }) => [id, names]))
}
