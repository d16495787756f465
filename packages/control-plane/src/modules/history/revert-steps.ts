import type { RoleAssignment } from '@gantry/api/people/policy'
import type { ResourceLocation } from '../../authz/policy.ts'
import { fleetId } from '../../authz/actor.ts'
import type { Cx } from '../../context/cx.ts'
import type { Row } from '../../db/tables.ts'
import { readPolicy } from '../../change/policies.ts'
import { generationOf } from '../../lookup/etag.ts'
import type { Told } from './merged.ts'
import { reversalOf, rowNow } from './reversals.ts'
import { tagsStep } from './revert-tags.ts'
import { differs, fieldStates, isGone, locationFor, type Reverting } from './step.ts'
import { tableOf } from '../../lookup/table-of.ts'

type Contents = Readonly<Record<string, unknown>>

/** The operation that takes the first of these changes back, with all of its kind that belong to the same list. */
export async function stepOf(cx: Cx, told: readonly Told[]): Promise<Reverting> {
  const [lead] = told
  if (!lead || !isRevertible(told)) return undefined
  if (lead.kind === 'vpc-firewall-rule') return firewallStep(cx, told)
  if (lead.kind === 'policy') return policyStep(cx, lead)
  if (lead.kind === 'silo-quotas') return quotasStep(cx, lead)
  if (lead.told === 'attached' || lead.told === 'detached') return attachmentStep(cx, lead)
  if (lead.told === 'tagged') return tagsStep(cx, told)
  return updateStep(cx, lead)
}

/** Whether `stepOf` would find a way, by the change alone. */
export function isRevertible([lead]: readonly Told[]): boolean {
  if (!lead || lead.actor.kind === 'system') return false
  const { kind, told, before, after } = lead
  if (kind === 'vpc-firewall-rule') return true
  if (before === null || after === null) return false
  if (told === 'tagged') return true
  if (kind === 'policy' || kind === 'silo-quotas') return true
  if (told === 'attached' || told === 'detached') return isAttached(kind)
  if (told !== 'edited' && told !== 'renamed' && told !== 'resized') return false
  return changedColumns(lead).length > 0
}

/** Kinds whose attachment to an instance can be reverted. */
const attached = ['disk', 'floating-ip', 'external-subnet'] as const
type Attached = (typeof attached)[number]
const isAttached = (kind: string): kind is Attached => (attached as readonly string[]).includes(kind)

const reversalFor = ({ kind, before, after }: Told) =>
  reversalOf(kind, (column) => differs(before?.[column], after?.[column]))

function changedColumns(lead: Told): string[] {
  const { before, after } = lead
  const { fields = {} } = reversalFor(lead) ?? {}
  return Object.keys(fields).filter((column) => differs(before?.[column], after?.[column]))
}

async function updateStep(cx: Cx, lead: Told): Promise<Reverting> {
  const reversal = reversalFor(lead)
  const columns = changedColumns(lead)
  if (!reversal || columns.length === 0) return undefined
  const { op, fields, values } = reversal
  const { object_id: id, kind, name, before, after } = lead
  const now = await reversal.now(cx, id)
  if (!now) return reversal.missing ?? isGone(lead)
  const fieldOf = (column: string) => column.replace(/_id$/, '')
  return {
    kind,
    id,
    name,
    action: lead.told,
    instance_id: undefined,
    fields: columns.map((column) =>
      fieldStates(fieldOf(column), after?.[column], now[column], before?.[column]),
    ),
    location: locationFor(lead),
    generation: now.generation as number | undefined,
    request: (keep) => {
      const valueOf = (column: string) => {
        const stored = columns.includes(column) && !keep.has(fieldOf(column)) ? before?.[column] : now[column]
        return values?.[column]?.(stored, now) ?? stored
      }
      const body = Object.fromEntries(
        Object.entries(fields).map(([column, field]) => [field, valueOf(column)]),
      )
      return { op, input: { path: reversal.path(id), query: {}, body } }
    },
  }
}

/** What was attached is detached, and the other way round. */
async function attachmentStep(cx: Cx, lead: Told): Promise<Reverting> {
  const { kind, object_id: id, name, before, after, told } = lead
  const table = isAttached(kind) ? tableOf(kind) : undefined
  if (!table) return undefined
  const now = await rowNow(cx, table, id)
  if (!now) return isGone(lead)
  const was = before?.instance_id as string | null
  // A guest that was asked to release it has done so since, if it has not been attached again.
  const is = after?.state === 'detaching' ? null : (after?.instance_id as string | null)
  const isHot = after?.state === 'attaching' || after?.state === 'detaching'
  const isDetaching = told === 'attached'
  const instance_id = (isDetaching ? is : was) ?? ''
  if (differs(now.instance_id, is))
    return `${name} was ${now.instance_id === null ? 'detached' : 'attached'} since.`
  return {
    kind,
    id,
    name,
    action: isDetaching ? 'detached' : 'attached',
    instance_id,
    fields: [],
    location: locationFor(lead),
    // Its operation decides by the state of both.
    generation: undefined,
    request: () => {
      const query = {}
      const base = isDetaching ? 'instanceDiskDetach' : 'instanceDiskAttach'
      if (kind === 'disk')
        return {
          op: isHot ? (isDetaching ? 'instanceDiskHotDetach' : 'instanceDiskHotAttach') : base,
          input: { path: { instance: instance_id }, query, body: { disk: id } },
        }
      if (kind === 'external-subnet') {
        const subnet = { external_subnet: id }
        return isDetaching
          ? { op: 'externalSubnetDetach', input: { path: subnet, query } }
          : { op: 'externalSubnetAttach', input: { path: subnet, query, body: { instance: instance_id } } }
      }
      const path = { floating_ip: id }
      return isDetaching
        ? { op: 'floatingIpDetach', input: { path, query } }
        : { op: 'floatingIpAttach', input: { path, query, body: { kind: 'instance', parent: instance_id } } }
    },
  }
}

const quotaFields = ['cpus', 'memory', 'storage'] as const

async function quotasStep(cx: Cx, lead: Told): Promise<Reverting> {
  const { object_id: id, before, after } = lead
  const now = await cx.db.selectFrom('silo_quotas').selectAll().where('silo_id', '=', id).executeTakeFirst()
  if (!now) return 'The silo was deleted since.'
  const changed = quotaFields.filter((field) => differs(before?.[field], after?.[field]))
  if (changed.length === 0) return undefined
  return {
    kind: lead.kind,
    id,
    name: null,
    action: 'edited',
    instance_id: undefined,
    fields: changed.map((field) => fieldStates(field, after?.[field], now[field], before?.[field])),
    location: { class: 'siloQuotas', silo_id: id },
    generation: now.generation,
    request: (keep) => {
      const body = Object.fromEntries(
        changed.flatMap((field) => (keep.has(field) ? [] : [[field, before?.[field]]])),
      )
      return { op: 'siloQuotasUpdate', input: { path: { silo: id }, query: {}, body } }
    },
  }
}

/** Roles by their holder, so that those of others stay as they are. */
async function policyStep(cx: Cx, lead: Told): Promise<Reverting> {
  const { object_id: id, silo_id, project_id, before, after } = lead
  const isFleet = id === fleetId
  const resource_type = isFleet ? 'fleet' : project_id ? 'project' : 'silo'
  if (!isFleet && !(await rowNow(cx, resource_type, id))) return 'What it gave access to was deleted since.'
  const policy = await readPolicy(cx.db, { resource_type, resource_id: id })
  const listOf = (contents: Told['before']) =>
    rolesByHolder((contents?.role_assignments ?? []) as RoleAssignment[])
  const [back, then, now] = [listOf(before), listOf(after), rolesByHolder(policy.role_assignments)]
  const holders = [...new Set([...back.keys(), ...then.keys()])].filter((holder) =>
    differs(rolesOf(back, holder), rolesOf(then, holder)),
  )
  if (holders.length === 0) return undefined
  const location: ResourceLocation = isFleet
    ? { class: 'fleet' }
    : { class: resource_type, silo_id: silo_id ?? id, project_id }
  return {
    kind: lead.kind,
    id,
    name: null,
    action: 'edited',
    instance_id: undefined,
    fields: holders.map((holder) =>
      fieldStates(holder, rolesOf(then, holder), rolesOf(now, holder), rolesOf(back, holder)),
    ),
    location,
    generation: generationOf(policy),
    request: (keep) => {
      const reverted = new Set(holders.filter((holder) => !keep.has(holder)))
      const role_assignments = [
        ...policy.role_assignments.filter(({ identity_id }) => !reverted.has(identity_id)),
        ...[...reverted].flatMap((holder) => back.get(holder) ?? []),
      ]
      const body = { role_assignments }
      if (isFleet) return { op: 'systemPolicyUpdate', input: { path: {}, query: {}, body } }
      return project_id
        ? { op: 'projectPolicyUpdate', input: { path: { project: id }, query: {}, body } }
        : { op: 'siloPolicyUpdate', input: { path: { silo: id }, query: {}, body } }
    },
  }
}

const rolesByHolder = (list: readonly RoleAssignment[]): Map<string, RoleAssignment[]> => {
  const holders = new Map<string, RoleAssignment[]>()
  for (const role of list) holders.set(role.identity_id, [...(holders.get(role.identity_id) ?? []), role])
  return holders
}

const rolesOf = (holders: ReadonlyMap<string, readonly RoleAssignment[]>, holder: string): string | null =>
  holders
    .get(holder)
    ?.map(({ role_name }) => role_name)
    .sort()
    .join(', ') ?? null

/** Rules by name: those that others edited since stay in the list. */
async function firewallStep(cx: Cx, told: readonly Told[]): Promise<Reverting> {
  const rules = told.filter(({ kind }) => kind === 'vpc-firewall-rule')
  const [lead] = rules
  const vpc_id = (lead?.after ?? lead?.before)?.vpc_id as string | undefined
  if (!lead || vpc_id === undefined) return undefined
  if (!(await rowNow(cx, 'vpc', vpc_id))) return 'The VPC was deleted since.'
  const { generation } = await cx.db
    .selectFrom('vpc_firewall')
    .select('generation')
    .where('vpc_id', '=', vpc_id)
    .executeTakeFirstOrThrow()
  const live = await cx.db
    .selectFrom('vpc_firewall_rule')
    .selectAll()
    .where('vpc_id', '=', vpc_id)
    .where('time_deleted', 'is', null)
    .orderBy('name')
    .execute()
  const now = new Map(live.map((rule) => [rule.name, ruleOf(rule)]))
  const fields = rules.map(({ name, before, after }) =>
    fieldStates(name ?? '', after && ruleOf(after), now.get(name ?? ''), before && ruleOf(before)),
  )
  return {
    kind: lead.kind,
    id: vpc_id,
    name: null,
    action: 'edited',
    instance_id: undefined,
    fields,
    location: locationFor(lead),
    generation,
    request: (keep) => {
      const wanted = new Map<string, unknown>(now)
      for (const { field, back } of fields) {
        if (keep.has(field)) continue
        if (back === null) wanted.delete(field)
        else wanted.set(field, back)
      }
      const body = { rules: [...wanted.values()] }
      return { op: 'vpcFirewallRulesUpdate', input: { path: {}, query: { vpc: vpc_id }, body } }
    },
  }
}

type Rule = Pick<
  Row<'vpc_firewall_rule'>,
  'name' | 'description' | 'status' | 'direction' | 'targets' | 'filters' | 'action' | 'priority'
>

function ruleOf(contents: Contents): Rule {
  const { name, description, status, direction, targets, filters, action, priority } =
    contents as unknown as Rule
  return { name, description, status, direction, targets, filters, action, priority }
}
