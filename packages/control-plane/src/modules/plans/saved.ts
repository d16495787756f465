import type { SavedPlan, SavedPlanCheck, SavedPlanView } from '@gantry/api/history/saved-plan'
import { savedPlanLimits, type SavedPlanState } from '@gantry/api/history/saved-plan.rules'
import { canonicalUuid } from '@gantry/api/base/name.rules'
import type { QueryOf } from '@gantry/api/op'
import { type OpName, operationId, ops } from '@gantry/api/registry'
import { sql } from 'kysely'
import type { ResourceLocation } from '../../authz/policy.ts'
import { change, changeBefore, type Scope } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import { conflict, invalid, notFound, Refusal } from '../../context/refusal.ts'
import type { Row } from '../../db/tables.ts'
import type { SavedAbout } from '../../db/tables/changes.ts'
import { need } from '../../lookup/need.ts'
import type { Input } from '../../pipeline/implement.ts'
import { demandedFor, demandedOf, demandIn } from './four-eyes.ts'
import { askedPlan, carryOut } from './request.ts'
import { requestOf } from './saved-request.ts'

type Saved = Row<'saved_plan'>
/** Without what only its page shows. */
type Listed = Omit<Saved, 'plan' | 'body' | 'tags'> & { change_count: number }

const dayMs = 86_400_000

/** Saves a request that the caller may send, with what it would do. */
export async function createSavedPlan(cx: Cx, { body }: Input<'savedPlanCreate'>): Promise<SavedPlan> {
  const { user_id, silo_id } = cx.user()
  const { method, path, body: text = null, tags = null, note = null } = body
  const { name, input, own } = await requestOf(cx, {
    method,
    path,
    body: text,
    tags,
    version: cx.request.version,
  })
  const plan = await askedPlan(own, name, input)
  const stored = JSON.stringify(plan)
  if (stored.length > savedPlanLimits.planLength)
    throw invalid('the plan is too large to be saved', 'Divide the change into smaller ones.')
  const about = aboutOf(own, path)
  cx.about = own.about
  const now = cx.now()
  const row = await change(cx, scopeOf({ about, silo_id }), async (tx) => {
    await refuseTooMany(cx, tx.read, user_id)
    const saved = await tx.plain
      .insertInto('saved_plan')
      .values({
        id: cx.newId(),
        silo_id,
        author_id: user_id,
        note: note === '' ? null : note,
        operation: name,
        method,
        path,
        body: text,
        version: cx.request.version,
        tags: tags && JSON.stringify(tags),
        plan: stored,
        about: about && JSON.stringify(about),
        state: 'open',
        time_created: now,
        time_expires: new Date(now.getTime() + savedPlanLimits.openDays * dayMs),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    tx.note('saved-plan', saved.id, undefined, { state: saved.state })
    return saved
  })
  return viewOf(cx, row)
}

async function refuseTooMany(cx: Cx, db: Pick<Cx['db'], 'selectFrom'>, author_id: string): Promise<void> {
  const { count } = await db
    .selectFrom('saved_plan')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('author_id', '=', author_id)
    .where('state', '=', 'open')
    .where('time_expires', '>', cx.now())
    .executeTakeFirstOrThrow()
  if (count >= savedPlanLimits.ofUser)
    throw invalid(
      `you have ${savedPlanLimits.ofUser} saved plans already`,
      'Withdraw those that are no longer needed.',
    )
}

/** The object that the request names, or where it belongs. */
function aboutOf({ about, actor }: Cx, path: string): SavedAbout | null {
  if (about) {
    const { kind, id, name, silo_id, project_id } = about
    return { kind, id, name, silo_id, project_id }
  }
  if (!path.startsWith('/v1/system/') || actor.kind !== 'silo_user') return null
  return { kind: 'fleet', id: actor.silo_id, name: null, silo_id: null, project_id: null }
}

const scopeOf = ({ about, silo_id }: Pick<Saved, 'about' | 'silo_id'>): Scope => ({
  silo_id: about ? about.silo_id : silo_id,
  project_id: about?.project_id ?? null,
})

/** Where the caller must be able to change things, to see the plans of others. */
function locationOf({ about, silo_id: own }: Pick<Saved, 'about' | 'silo_id'>): ResourceLocation {
  const { silo_id, project_id } = scopeOf({ about, silo_id: own })
  if (silo_id === null) return { class: 'fleet' }
  return project_id === null ? { class: 'silo', silo_id } : { class: 'projectChild', silo_id, project_id }
}

function isSeen(cx: Cx, row: Pick<Saved, 'about' | 'silo_id' | 'author_id' | 'ended_by'>): boolean {
  const { user_id, silo_id } = cx.user()
  if (row.silo_id !== silo_id) return false
  const location = locationOf(row)
  return (
    row.author_id === user_id ||
    row.ended_by === user_id ||
    cx.can(location.class === 'fleet' ? 'create_child' : 'modify', location)
  )
}

async function needSaved(cx: Cx, given: string): Promise<Saved> {
  const id = canonicalUuid(given)
  const row = await cx.db.selectFrom('saved_plan').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row || !isSeen(cx, row)) throw notFound('saved-plan', { id })
  return row
}

/** Open ones first, then those that ended lately. */
export async function listSavedPlans(
  cx: Cx,
  query: QueryOf<typeof ops.savedPlanList>,
): Promise<{ items: SavedPlan[] }> {
  const { silo_id } = cx.user()
  const project = query.project
    ? (await need(cx, 'project', { project: query.project }, 'list_children')).row.id
    : null
  const { rows } = await sql<Listed>`
    SELECT id, silo_id, author_id, note, operation, method, path, about, state, ended_by, time_created, time_expires,
      time_ended, (plan->>'change_count')::int AS change_count
    FROM saved_plan WHERE silo_id = ${silo_id}
      AND about->>'project_id' IS NOT DISTINCT FROM ${project}
    ORDER BY state = 'open' DESC, time_created DESC, id LIMIT ${examined}`.execute(cx.db)
  const seen = rows.filter((row) => isSeen(cx, row)).slice(0, savedPlanLimits.listed)
  return { items: await viewsOf(cx, seen) }
}

/** Of a project or a silo, before those that the caller may not see are skipped. */
const examined = 500

export async function viewSavedPlan(cx: Cx, { path }: Input<'savedPlanView'>): Promise<SavedPlanView> {
  const row = await needSaved(cx, path.saved_plan_id)
  const { method, body, tags, plan } = row
  return { ...(await viewOf(cx, row)), method, path: row.path, body, tags: [...(tags ?? [])], plan }
}

/** What it would do now, asked with the rights of the caller. */
export async function checkSavedPlan(cx: Cx, { path }: Input<'savedPlanCheck'>): Promise<SavedPlanCheck> {
  const row = await needSaved(cx, path.saved_plan_id)
  const over = whyOver(cx, row)
  if (over !== undefined) return { current: null, is_moved: false, why_not: over }
  try {
    const { name, input, own } = await requestOf(cx, row)
    const current = await askedPlan(own, name, input)
    const is_moved = current.hash !== row.plan.hash
    return { current, is_moved, why_not: (await whyNotAuthor(cx, row, name, input)) ?? null }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { current: null, is_moved: true, why_not: `${error.message}. ${error.extra.help}` }
  }
}

/** Carries it out with the rights of the caller, once, if it does what the caller saw. */
export async function commitSavedPlan(cx: Cx, { path, body }: Input<'savedPlanCommit'>): Promise<SavedPlan> {
  const row = await needSaved(cx, path.saved_plan_id)
  const { user_id } = cx.user()
  refuseOver(cx, row)
  const { name, input, own } = await requestOf(cx, row)
  const alone = await whyNotAuthor(cx, row, name, input)
  if (alone !== undefined) throw invalid(alone, 'Send its link to someone else who may make the change.')
  const author = await personsOf(cx, [row.author_id])
  own.request.details = {
    saved_plan_id: row.id,
    planned_by: { id: row.author_id, name: author.get(row.author_id) ?? null },
  }
  cx.request.details = own.request.details
  await carryOut(own, name, input, {
    hash: body.hash,
    // As what it is, a commit: the request itself changes no plans.
    before: ({ services }) => endIn(cx.inner({ services }), row, 'committed', user_id),
  })
  cx.audited = own.audited
  cx.about = own.about
  cx.request.entry = own.request.entry
  return viewOf(cx, await needSaved(cx, row.id))
}

export async function withdrawSavedPlan(cx: Cx, { path }: Input<'savedPlanWithdraw'>): Promise<SavedPlan> {
  const row = await needSaved(cx, path.saved_plan_id)
  const { user_id } = cx.user()
  refuseOver(cx, row)
  await change(cx, scopeOf(row), async (tx) => {
    await end(tx, row, 'withdrawn', user_id)
  })
  return viewOf(cx, await needSaved(cx, row.id))
}

/** Before the request itself, in its transaction: of two who commit at once, the second waits here and is refused. */
const endIn = (cx: Cx, row: Saved, state: 'committed', user_id: string): Promise<void> =>
  changeBefore(cx, scopeOf(row), (tx) => end(tx, row, state, user_id))

async function end(
  tx: Parameters<Parameters<typeof change>[2]>[0],
  row: Saved,
  state: 'committed' | 'withdrawn',
  ended_by: string,
): Promise<void> {
  const { id } = row
  const now = await tx.plain
    .updateTable('saved_plan')
    .set({ state, ended_by, time_ended: tx.cx.now() })
    .where('id', '=', id)
    .where('state', '=', 'open')
    .returning('id')
    .executeTakeFirst()
  if (!now) throw over('somebody has committed or withdrawn the plan meanwhile')
  tx.note('saved-plan', id, { state: row.state }, { state })
}

const over = (why: string): Refusal => conflict(why, 'Save a new plan if the change is still needed.')

function refuseOver(cx: Cx, row: Saved): void {
  const why = whyOver(cx, row)
  if (why !== undefined) throw over(why)
}

const stateOf = (cx: Cx, { state, time_expires }: Pick<Saved, 'state' | 'time_expires'>): SavedPlanState =>
  state === 'open' && time_expires <= cx.now() ? 'expired' : state

function whyOver(cx: Cx, row: Saved): string | undefined {
  const state = stateOf(cx, row)
  if (state === 'open') return undefined
  return state === 'expired' ? 'the plan has expired' : `the plan was ${state}`
}

async function whyNotAuthor(cx: Cx, row: Saved, name: OpName, input: object): Promise<string | undefined> {
  if (row.author_id !== cx.user().user_id || !(await demandedFor(cx, name, input))) return undefined
  return 'somebody else than its author commits this plan'
}

async function personsOf(cx: Cx, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await cx.db
    .selectFrom('silo_user')
    .select(['id', 'external_id'])
    .where('id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map(({ id, external_id }) => [id, external_id]))
}

const viewOf = async (cx: Cx, row: Saved): Promise<SavedPlan> => {
  const [view] = await viewsOf(cx, [{ ...row, change_count: row.plan.change_count }])
  if (!view) throw new Error('a row makes a view')
  return view
}

async function viewsOf(cx: Cx, rows: readonly Listed[]): Promise<SavedPlan[]> {
  const names = await personsOf(
    cx,
    rows.flatMap(({ author_id, ended_by }) => [author_id, ...(ended_by ? [ended_by] : [])]),
  )
  const projects = await projectNames(cx, rows)
  const demanded = await demandedOf(cx)
  const person = (id: string) => ({ id, name: names.get(id) ?? null })
  return rows.map((row) => {
    const { about } = row
    const project = about?.project_id ?? null
    return {
      id: row.id,
      state: stateOf(cx, row),
      author: person(row.author_id),
      ended_by: row.ended_by === null ? null : person(row.ended_by),
      note: row.note,
      operation: operationId(row.operation),
      about: about && about.kind !== 'fleet' ? { kind: about.kind, id: about.id, name: about.name } : null,
      project: project === null ? null : { id: project, name: projects.get(project) ?? '' },
      change_count: row.change_count,
      four_eyes: demandIn(demanded, row.operation) ?? null,
      time_created: row.time_created.toISOString(),
      time_expires: row.time_expires.toISOString(),
      time_ended: row.time_ended?.toISOString() ?? null,
    }
  })
}

async function projectNames(cx: Cx, rows: readonly Listed[]): Promise<Map<string, string>> {
  const ids = [...new Set(rows.flatMap(({ about }) => about?.project_id ?? []))]
  if (ids.length === 0) return new Map()
  const found = await cx.db.selectFrom('project').select(['id', 'name']).where('id', 'in', ids).execute()
  return new Map(found.map(({ id, name }) => [id, name]))
}
