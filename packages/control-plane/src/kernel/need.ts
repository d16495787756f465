import type { Action } from '@gantry/api/extensions.rules'
import { canonicalUuid, isUuid } from '@gantry/api/name.rules'
import { needed, type Place, type ResourceClass } from '../authz/policy.ts'
import type { Row } from '../db/tables.ts'
import { isExpected, stale } from './change.ts'
import type { Cx } from './cx.ts'
import { containerOf, find, type FoundRow, type Selectors } from './find.ts'
import { type FleetKind, type KindName, kinds } from './kinds.ts'
import { placeOf } from './place.ts'
import { forbidden, invalid, notFound, type Refusal, unauthorized } from './refusal.ts'

export type { Selectors } from './find.ts'

export interface Found<Name extends KindName> {
  row: Row<Name>
  place: Place
  scope: { silo_id: Name extends FleetKind ? string | null : string; project_id: string | null }
}

interface Where {
  /** A silo that was found before; else one that the request names by `silo`, or the caller's own. */
  silo_id?: string
}

/**
 * Finds by name or id, and checks in the same step. 404 where the caller may not know of it, 403 where it may
 * know but not act, 401 for nobody; the messages repeat how the object was addressed, whether it exists or not.
 */
export async function need<Name extends KindName>(
  cx: Cx,
  table: Name,
  at: Selectors,
  action: Action,
  where: Where = {},
): Promise<Found<Name>> {
  const found = await know(cx, table, at, where)
  allow(cx, found, action)
  if (action === 'modify') aim(cx, found.row as unknown as { id: string; generation: number })
  return found
}

/** Finds what the caller may know of; what it may do there is for `allow` to say. */
export async function know<Name extends KindName>(
  cx: Cx,
  table: Name,
  at: Selectors,
  { silo_id: given }: Where = {},
): Promise<Found<Name>> {
  checkSelectors(table, at)
  if (cx.actor.kind === 'anonymous') throw unauthorized()
  const siloId =
    given ??
    (kinds[table].parent === 'silo' && at.silo ? (await need(cx, 'silo', at, 'read')).row.id : undefined)
  const found = await find(cx, table, at, siloId)
  if (!isKnown(cx, table, found)) throw await unknownIn(cx, table, at, siloId)
  const { '~silo_id': _silo, '~project_id': _project, ...row } = found
  const place = placeIn(cx, table, found)
  const scope = { silo_id: place.silo_id ?? null, project_id: place.project_id ?? null }
  // The statement reads the table of that name, and only kinds of the fleet are in no silo.
  return { row: row as unknown as Row<Name>, place, scope: scope as Found<Name>['scope'] }
}

/**
 * 403 unless the caller may act on what was found, or on a part of it that has a rule of its own. A part has a
 * generation of its own too, so `If-Match` does not speak of the object then.
 */
export function allow(
  cx: Cx,
  { place }: Pick<Found<KindName>, 'place'>,
  action: Action,
  more: { as?: ResourceClass; fleet_stake?: boolean } = {},
): void {
  const { fleet_stake, ...own } = place
  const stake = more.fleet_stake || (more.as === undefined && fleet_stake)
  demand(cx, action, { ...own, ...(more.as && { class: more.as }), ...(stake && { fleet_stake: true }) })
}

/** For what belongs to the fleet, of which everybody knows: 401 or 403, never 404. */
export const needFleet = (cx: Cx, action: Action, fleet_stake = false): void =>
  demand(cx, action, { class: 'fleet', fleet_stake })

/** For what belongs to the caller's own silo: its lists, and what is made there. */
export function needOwnSilo(cx: Cx, action: Action, as: ResourceClass = 'silo'): { silo_id: string } {
  const { silo_id } = cx.user()
  demand(cx, action, { class: as, silo_id })
  return { silo_id }
}

function demand(cx: Cx, action: Action, place: Place): void {
  if (cx.actor.kind === 'anonymous') throw unauthorized()
  if (!cx.can(action, place)) throw forbidden(needed(action, place))
}

/** The first thing that a request is to modify is what its `If-Match` speaks of. */
export function aim(cx: Cx, row: { id: string; generation: number }): void {
  cx.target ??= { id: row.id, generation: row.generation }
  if (cx.target.id === row.id && !isExpected(cx, row.generation)) throw stale(row.generation)
}

export const addressOf = (type: string, selector: string): Refusal =>
  notFound(type, isUuid(selector) ? { id: canonicalUuid(selector) } : { name: selector })

/** An id needs no parent and takes none; a name needs one, all the way up. */
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

/** The parent that requests name; of most kinds that a silo holds, it is the caller's own. */
function namedParentOf(table: KindName): KindName | undefined {
  const { parent, orProject, both } = kinds[table]
  if (!both || parent === 'fleet') return undefined
  return orProject ? 'project' : parent
}

const placeIn = (cx: Cx, table: KindName, row: FoundRow): Place =>
  placeOf(table, row, {
    silo_id: row['~silo_id'] ?? (kinds[table].parent === 'silo_user' ? cx.user().silo_id : undefined),
    project_id: row['~project_id'],
  })

/** Whether it is there and the caller may know of it. */
const isKnown = (cx: Cx, table: KindName, row: FoundRow | undefined): row is FoundRow =>
  row !== undefined && cx.can('read', placeIn(cx, table, row))

/**
 * The refusal for an address that leads to nothing the caller may know of. It names the outermost object on the way
 * that is unknown to the caller, so a hidden project and a project that does not exist get the same answer, whatever
 * is asked for inside it.
 */
async function unknownIn(cx: Cx, table: KindName, at: Selectors, siloId?: string): Promise<Refusal> {
  for (const outer of namedOnTheWay(table, at).toReversed())
    if (!isKnown(cx, outer, await find(cx, outer, at, siloId))) return addressAt(outer, at)
  return addressAt(table, at)
}

/** What the object's name is looked up in, the nearest first: an id ends the way. */
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
