import type { RoleAssignment, RolePolicy } from '@gantry/api/people/policy'
import type { DeletionPlan } from '@gantry/api/history/deletion'
import type { ChangePlan } from '@gantry/api/history/plan'
import { planLimits } from '@gantry/api/history/plan.rules'
import type { OpName } from '@gantry/api/registry'
import { sql } from 'kysely'
import { auditActor } from '../../authz/actor.ts'
import { hashSecret } from '../../authz/secret.ts'
import { actionOf, entriesOf } from '../../change/activity.ts'
import type { Cx } from '../../context/cx.ts'
import type { MadeChange } from '../../context/services.ts'
import { begunDeletion } from '../deletion/begun.ts'
import { begunRestoration } from '../recycle-bin/restorations/plan.ts'
import { plannedView } from '../history/differences.ts'
import type { Member } from '../history/member.ts'
import { toldOf } from '../history/merged.ts'
import { namesOf } from '../history/names.ts'
import { accessOf } from './access.ts'
import { effectsText } from './effects.ts'
import { type NetworkChange, networkChangeOf, packetsOf } from './packets.ts'

type Records = MadeChange['records']
type Usage = ChangePlan['quota']

interface Done {
  name: OpName
  input: object
  changes: readonly MadeChange[]
  /** What the silo used before. */
  before: Usage
}

/** What a request did, and the network of which packets are still to be tried. */
export interface Described {
  plan: Omit<ChangePlan, 'packets'>
  network: NetworkChange | undefined
}

/** Describes what a request did inside of the transaction that this reads. */
export async function describe(cx: Cx, { name, input, changes, before }: Done): Promise<Described> {
  const records = changes.flatMap((made) => made.records)
  const told = toldOf(
    changes.filter((made) => !made.isPrelude).flatMap((made) => membersOf(cx, made.records)),
  )
  const shown = told.slice(0, planLimits.changes)
  const names = await namesOf(
    cx,
    shown.map((member) => [member.before, member.after]),
  )
  const after = await usageOf(cx)
  const deletion = await begunDeletion(cx, records)
  const restored = await begunRestoration(cx, records)
  const begun = deletion ? [deletedChange(deletion)] : (restored?.changes ?? [])
  const plan = {
    changes: [...begun, ...shown.map((member) => plannedView(member, names))].slice(0, planLimits.changes),
    change_count: (restored?.count ?? begun.length) + told.length,
    quota: {
      cpus: after.cpus - before.cpus,
      memory: after.memory - before.memory,
      storage: after.storage - before.storage,
    },
    used: before,
    restarts: restartsOf(records),
    people: await peopleOf(cx, records),
    access: await accessOf(cx, records),
    deletion,
    hash: await hashSecret(
      JSON.stringify([name, input, effectsText(records), ...(restored ? [restored] : [])]),
    ),
  }
  return { plan, network: await networkChangeOf(cx, records) }
}

/** The task that a request begins deletes this object at its end. */
const deletedChange = ({ object: { kind, id, name } }: DeletionPlan): ChangePlan['changes'][number] => ({
  kind,
  id,
  name,
  action: 'deleted',
  other: null,
  differences: [],
})

/** The whole plan. */
export const planOf = async (cx: Cx, { plan, network }: Described): Promise<ChangePlan> => ({
  ...plan,
  packets: await packetsOf(cx, network),
})

/** As activity would tell of them, what the request is about first. */
function membersOf(cx: Cx, records: Records): Member[] {
  const { operation } = cx.request
  const recorded = records.map((record) => ({ ...record, holder_id: null }))
  const told = recorded.filter(
    (record) => actionOf({ ...record, operation, isPlatform: false }) !== undefined,
  )
  const [lead] = entriesOf(told, { operation, isPlatform: false }).map((entry) => entry.lead)
  return told
    .toSorted((one, other) => Number(other === lead) - Number(one === lead))
    .map(({ before, after, holder_id: _holder, ...record }, place) => ({
      ...record,
      entry_id: record.id,
      entry_place: place,
      actor: auditActor(cx.actor),
      operation,
      request_id: cx.request.id,
      before: stored(before),
      after: stored(after),
      count: 1,
    }))
}

/** As it is read from the database. */
const stored = (contents: Records[number]['before']): Member['before'] =>
  contents === undefined ? null : (JSON.parse(JSON.stringify(contents)) as Member['before'])

export async function usageOf(cx: Cx): Promise<Usage> {
  const { silo_id } = cx.user()
  const row = await cx.db
    .selectFrom('provisioning')
    .select(['cpus', 'memory', 'storage'])
    .where('id', '=', silo_id)
    .executeTakeFirst()
  return row ?? { cpus: 0, memory: 0, storage: 0 }
}

/** Of each instance, its state before all of it and after. */
function restartsOf(records: Records): ChangePlan['restarts'] {
  const states = new Map<string, ChangePlan['restarts'][number]>()
  for (const { kind, op, object_id: id, name, before, after } of records) {
    if (kind !== 'instance' || op !== 'update') continue
    const [from, to] = [String(before?.run_state), String(after?.run_state)]
    states.set(id, { id, name: name ?? '', from: states.get(id)?.from ?? from, to })
  }
  return [...states.values()].filter(({ from, to }) => from !== to).slice(0, planLimits.affected)
}

const assignmentsOf = (contents: Records[number]['before']): readonly RoleAssignment[] =>
  (contents as Partial<RolePolicy> | undefined)?.role_assignments ?? []

/** Users and groups that hold other roles afterwards, those who lose all of theirs first. */
async function peopleOf(cx: Cx, records: Records): Promise<ChangePlan['people']> {
  const people = new Map<string, ChangePlan['people'][number]>()
  for (const { kind, before, after } of records) {
    if (kind !== 'policy') continue
    for (const [side, assignments] of [
      ['before', assignmentsOf(before)],
      ['after', assignmentsOf(after)],
    ] as const)
      for (const { identity_type: type, identity_id: id, role_name } of assignments) {
        const known = people.get(id) ?? { type, id, name: null, before: [], after: [] }
        people.set(id, known)
        if (!known[side].includes(role_name)) known[side].push(role_name)
      }
  }
  const changed = [...people.values()]
    .map((person) => ({ ...person, before: person.before.sort(), after: person.after.sort() }))
    .filter(({ before, after }) => before.join() !== after.join())
    .sort((one, other) => one.after.length - other.after.length || (one.id < other.id ? -1 : 1))
    .slice(0, planLimits.affected)
  if (changed.length === 0) return []
  const ids = changed.map(({ id }) => id)
  const { rows } = await sql<{ id: string; name: string; silo_id: string }>`
    SELECT id, external_id AS name, silo_id FROM silo_user WHERE id = ANY (${ids}::uuid[])
    UNION ALL SELECT id, external_id, silo_id FROM silo_group WHERE id = ANY (${ids}::uuid[])`.execute(cx.db)
  const names = new Map(
    rows.flatMap(({ id, name, silo_id }) =>
      cx.can('read', { class: 'siloUser', silo_id }) ? [[id, name] as const] : [],
    ),
  )
  return changed.map((person) => ({ ...person, name: names.get(person.id) ?? null }))
}
