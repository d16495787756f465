import type { ActivityRevertPlan } from '@gantry/api/history/activity'
import { firewallLimits } from '@gantry/api/network/vpc-firewall.rules'
import type { Operation } from '@gantry/api/op'
import { type OpName, ops } from '@gantry/api/registry'
import { hashSecret } from '../../authz/secret.ts'
import { needed } from '../../authz/policy.ts'
import type { Cx } from '../../context/cx.ts'
import { forbidden, notFound, Refusal } from '../../context/refusal.ts'
import { etagOf } from '../../lookup/etag.ts'
import { readLists } from '../../parse/oversize.ts'
import type { Input } from '../../pipeline/implement.ts'
import { changeView, shown } from './differences.ts'
import { membersSeen } from './entries.ts'
import { type Told, toldOf } from './merged.ts'
import { namesOf } from './names.ts'
import { stepOf } from './revert-steps.ts'
import type { Step } from './step.ts'

interface Plan {
  step: Step | undefined
  told: readonly Told[]
  whyNot: string | undefined
  hash: string
}

/** What reverting the entry would do now. */
export async function viewRevert(cx: Cx, { path }: Input<'activityRevertView'>): Promise<ActivityRevertPlan> {
  const { step, told, whyNot, hash } = await planOf(cx, path.entry_id)
  const ids = [step?.fields, step?.instance_id, told.map(({ before, after }) => [before, after])]
  const names = await namesOf(cx, ids)
  const other = step?.instance_id
  const otherName = other === undefined ? undefined : names.get(other)
  return {
    steps: step
      ? [
          {
            kind: step.kind,
            id: step.id,
            name: step.name,
            action: step.action,
            other: other !== undefined && otherName !== undefined ? { id: other, name: otherName } : null,
            edits: step.fields.map(({ made, now, back, ...field }) => ({
              ...field,
              label: step.kind === 'vpc-firewall-rule' ? field.field : (names.get(field.field) ?? null),
              made: shown(made, names),
              now: shown(now, names),
              back: shown(back, names),
            })),
          },
        ]
      : [],
    lost: told
      .filter(({ kind }, place) => place > 0 && kind !== told[0]?.kind)
      .map((member) => changeView(member, names)),
    why_not: whyNot ?? null,
    hash,
  }
}

/** Reverts by the operation that a caller would use, with its rules, its change and its record in the audit log. */
export async function revertEntry(cx: Cx, { path, body }: Input<'activityRevert'>): Promise<undefined> {
  const { step, whyNot, hash } = await planOf(cx, path.entry_id)
  if (hash !== body.hash)
    throw new Refusal('Conflict', 'what would be reverted has changed', {
      help: 'Review what reverting would do now, then try again.',
    })
  if (whyNot !== undefined || !step)
    throw new Refusal('InvalidRequest', whyNot ?? cannot, { help: 'Change the object itself instead.' })
  if (!cx.can('modify', step.location)) throw forbidden(needed('modify', step.location))
  const { op, input: asked } = step.request(new Set(body.keep))
  const input = await asIfSent(cx, op, asked)
  await refusalAloneOf(cx)(cx, op, input)
  const if_match = step.generation === undefined ? undefined : etagOf(step.generation)
  const own = cx.inner({ request: { if_match } })
  try {
    await handlerOf(cx, op)(own, input)
  } finally {
    cx.audited = own.audited
    cx.about = own.about ?? cx.about
    cx.request.entry = own.request.entry
  }
  return undefined
}

/** What was stored is bounded and charged like what is sent: the lists of before and of now together can be too long. */
async function asIfSent(
  cx: Cx,
  op: OpName,
  { body, ...rest }: { body?: Record<string, unknown> },
): Promise<object> {
  const schema = (ops[op] as Operation).body
  if (!schema || !body) return rest
  const lists = await readLists(schema, body, cx.charge, cx.breather())
  const parsed = lists.kind === 'rest' ? lists.schema.safeParse(lists.value) : undefined
  if (!parsed?.success)
    throw new Refusal('InvalidRequest', 'what it was before does not fit what is allowed now', {
      help: 'Change the object itself instead.',
    })
  return { ...rest, body: parsed.data }
}

const refusalAloneOf = ({ services }: Cx) =>
  // As with handlers, the services do not know the context.
  services.refuseAlone as (cx: Cx, name: OpName, input: object) => Promise<void>

const handlerOf = ({ services }: Cx, op: OpName) =>
  // The step makes the input of its operation.
  services.handlers[op] as unknown as (cx: Cx, input: object) => Promise<unknown>

/** A list of rules with all of its rules replaced by others; no other change of a user is larger. */
const allPlaces = 2 * firewallLimits.rules

const cannot = 'This cannot be reverted.'

async function planOf(cx: Cx, entry_id: string): Promise<Plan> {
  const told = toldOf(await membersSeen(cx, [entry_id], allPlaces))
  if (told[0]?.id !== entry_id) throw notFound('activity-entry', { id: entry_id })
  const found = await stepOf(cx, told)
  const step = typeof found === 'object' ? found : undefined
  const whyNot = whyNotOf(cx, found)
  const { generation, fields, location: _location, request: _request, ...rest } = step ?? {}
  return {
    step,
    told,
    whyNot,
    hash: await hashSecret(JSON.stringify({ entry_id, generation, fields, rest, whyNot })),
  }
}

function whyNotOf(cx: Cx, found: Awaited<ReturnType<typeof stepOf>>): string | undefined {
  if (found === undefined) return cannot
  if (typeof found === 'string') return found
  if (!cx.can('modify', found.location)) return `Reverting it requires ${needed('modify', found.location)}.`
  const isAsBefore =
    found.fields.length > 0 &&
    found.fields.every(({ now, back }) => JSON.stringify(now) === JSON.stringify(back))
  return isAsBefore ? 'It is already as it was before.' : undefined
}
