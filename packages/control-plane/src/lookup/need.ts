import type { Action } from '@gantry/api/extensions.rules'
import { canonicalUuid, isUuid } from '@gantry/api/base/name.rules'
import { needed, type ResourceLocation, type ResourceClass } from '../authz/policy.ts'
import type { Row } from '../db/tables.ts'
import type { About, Cx } from '../context/cx.ts'
import { containerOf, find, type Selectors } from './find.ts'
import type { FoundRow } from './recent-projects.ts'
import { type FleetKind, type KindName, kindOfRow, kinds } from './kinds.ts'
import { locationOf } from './location.ts'
import { forbidden, invalid, notFound, type Refusal, unauthorized } from '../context/refusal.ts'
import { isExpected, stale } from './etag.ts'

export type { Selectors } from './find.ts'

/** An object that the caller may see. */
export interface Known<Name extends KindName> {
  row: Row<Name>
  location: ResourceLocation
  scope: { silo_id: Name extends FleetKind ? string | null : string; project_id: string | null }
}

declare const authorised: unique symbol

/** A row with which the caller may do what was asked. Only `need` and `allow` yield one, and a change locks no other. */
export type Authorised<Name extends KindName> = Row<Name> & { readonly [authorised]: Name }

export interface Found<Name extends KindName> extends Known<Name> {
  row: Authorised<Name>
}

interface Where {
  /** A silo found earlier; otherwise the one that the request names by `silo`, or the caller's own. */
  silo_id?: string
}

/**
 * Finds an object by name or id and authorises in the same step. 404 when the caller may not see it, 403 when
 * the caller may see it but not act, 401 for anonymous callers. The message repeats the given address,
 * whether or not the object exists.
 */
export async function need<Name extends KindName>(
  cx: Cx,
  table: Name,
  at: Selectors,
  action: Action,
  where: Where = {},
): Promise<Found<Name>> {
  const found: Known<Name> = await know(cx, table, at, where)
  allow<Name>(cx, found, action)
  if (action === 'modify') aim(cx, found.row as unknown as { id: string; generation: number })
  return found
}

/** Finds an object that the caller may see; `allow` then checks the action. */
export async function know<Name extends KindName>(
  cx: Cx,
  table: Name,
  at: Selectors,
  { silo_id: given }: Where = {},
): Promise<Known<Name>> {
  checkSelectors(table, at)
  if (cx.actor.kind === 'anonymous') throw unauthorized()
  const siloId =
    given ??
    (kinds[table].parent === 'silo' && at.silo ? (await need(cx, 'silo', at, 'read')).row.id : undefined)
  const found = await find(cx, table, at, siloId)
  if (!isKnown(cx, table, found)) throw await unknownIn(cx, table, at, siloId)
  const { '~silo_id': _silo, '~project_id': _project, ...row } = found
  const location = locationIn(cx, table, found)
  const scope = { silo_id: location.silo_id ?? null, project_id: location.project_id ?? null }
  cx.about ??= aboutOf(table, row, scope)
  // The statement reads the table of that name, and only fleet kinds have no silo.
  return { row: row as unknown as Row<Name>, location, scope: scope as Known<Name>['scope'] }
}

/** What a request about this row is told of as. */
function aboutOf(table: KindName, row: object, scope: Pick<About, 'silo_id' | 'project_id'>): About {
  const { id, name, external_id } = row as { id: string; name?: string | null; external_id?: string }
  const kind = table === 'external_ip' ? kindOfRow(table, { ...row }) : kinds[table].word
  return {
    kind,
    id,
    name: name ?? external_id ?? null,
    ...scope,
    ...(table === 'project' && { project_id: id }),
  }
}

/**
 * 403 unless the caller may act on the object, or on a part of it with its own class. A part also has its own
 * generation, so `If-Match` does not apply to the object then.
 */
export function allow<Name extends KindName>(
  cx: Cx,
  known: Known<Name>,
  action: Action,
  more: { as?: ResourceClass; fleet_stake?: boolean } = {},
): asserts known is Found<Name> {
  const { fleet_stake, ...own } = known.location
  const stake = more.fleet_stake || (more.as === undefined && fleet_stake)
  demand(cx, action, { ...own, ...(more.as && { class: more.as }), ...(stake && { fleet_stake: true }) })
}

/** For fleet resources, which everyone may know of: 401 or 403, never 404. */
export const needFleet = (cx: Cx, action: Action, fleet_stake = false): void =>
  demand(cx, action, { class: 'fleet', fleet_stake })

/** For resources of the caller's own silo: lists and creation. */
export function needOwnSilo(cx: Cx, action: Action, as: ResourceClass = 'silo'): { silo_id: string } {
  const { silo_id } = cx.user()
  demand(cx, action, { class: as, silo_id })
  return { silo_id }
}

function demand(cx: Cx, action: Action, location: ResourceLocation): void {
  if (cx.actor.kind === 'anonymous') throw unauthorized()
  if (!cx.can(action, location)) throw forbidden(needed(action, location))
}

/** `If-Match` applies to the first object that a request modifies. */
export function aim(cx: Cx, row: { id: string; generation: number }): void {
  cx.target ??= { id: row.id, generation: row.generation }
  if (cx.target.id === row.id && !isExpected(cx, row.generation)) throw stale(row.generation)
}

export const addressOf = (type: string, selector: string): Refusal =>
  notFound(type, isUuid(selector) ? { id: canonicalUuid(selector) } : { name: selector })

/** An id takes no parent; a name needs every parent up to the root. */
function checkSelectors(table: KindName, at: Selectors): void {
  const { selector, both, alone } = kinds[table]
  const above = namedParentOf(table)
  if (!above) return
  if (isUuid(at[selector] ?? '')) {
    for (let up: KindName | undefined = above; up; up = namedParentOf(up))
      if (both && at[kinds[up].selector]) throw invalid(both)
    return
  }
  if (alone && !at[kinds[above].selector]) throw invalid(alone)
  if (at[kinds[above].selector]) checkSelectors(above, at)
}

/** The parent that requests name; for most kinds in a silo, that is the caller's own silo. */
function namedParentOf(table: KindName): KindName | undefined {
  const { parent, orProject, both } = kinds[table]
  if (!both) return undefined
  if (orProject) return 'project'
  return parent === 'fleet' ? undefined : parent
}

const locationIn = (cx: Cx, table: KindName, row: FoundRow): ResourceLocation =>
  locationOf(table, row, {
    silo_id: row['~silo_id'] ?? (kinds[table].parent === 'silo_user' ? cx.user().silo_id : undefined),
    project_id: row['~project_id'],
  })

/** Whether the row exists and the caller may see it. */
const isKnown = (cx: Cx, table: KindName, row: FoundRow | undefined): row is FoundRow =>
  row !== undefined && cx.can('read', locationIn(cx, table, row))

/**
 * The refusal for an address that the caller cannot resolve. It names the outermost unknown object on the
 * path, so a hidden project and a missing one give the same response, whatever is requested inside.
 */
async function unknownIn(cx: Cx, table: KindName, at: Selectors, siloId?: string): Promise<Refusal> {
  for (const outer of namedOnTheWay(table, at).toReversed())
    if (!isKnown(cx, outer, await find(cx, outer, at, siloId))) return addressAt(outer, at)
  return addressAt(table, at)
}

/** The kinds on the path of a name, innermost first; an id ends the path. */
function namedOnTheWay(table: KindName, at: Selectors): KindName[] {
  const container = containerOf(table, at)
  return container && !isUuid(at[kinds[table].selector] ?? '')
    ? [container, ...namedOnTheWay(container, at)]
    : []
}

const addressAt = (table: KindName, at: Selectors): Refusal => {
  const { addressed, word, selector } = kinds[table]
  return addressOf(addressed ?? word, at[selector] ?? '')
}
