import type { AlertActivityPlace } from '@gantry/api/system/alert'
import { deliveryRules } from '@gantry/api/system/alert.rules'
import { type RawBuilder, sql } from 'kysely'
import { needed } from '../../authz/policy.ts'
import type { Actor } from '../../authz/actor.ts'
import { findPerson } from '../../authz/person.ts'
import { type Change, change, fleetScope, type Scope } from '../../change/change.ts'
import { Cx, requestInfo } from '../../context/cx.ts'
import type { Services } from '../../context/services.ts'
import { insufficient, invalid } from '../../context/refusal.ts'
import type { Reader } from '../../db/database.ts'
import type { Row } from '../../db/tables.ts'
import { addressOf, need, type Selectors } from '../../lookup/need.ts'

type Place = Row<'alert_activity_place'>
type Named = Place & { silo_name: string | null; project_name: string | null; user_name: string | null }

/** A reader with the roles of this actor. */
export const cxOf = (services: Services, actor: Actor): Cx =>
  new Cx(services, actor, requestInfo(services, { operation: 'activity-alerts' }))

/** Who may list the contents of a place gets its activity, as on its page. */
export const hears = (cx: Pick<Cx, 'can'>, { silo_id, project_id }: Pick<Place, 'silo_id' | 'project_id'>) =>
  cx.can(
    'list_children',
    project_id === null ? { class: 'silo', silo_id } : { class: 'project', silo_id, project_id },
  )

const placesWhere = async (db: Reader, condition: RawBuilder<unknown>): Promise<Named[]> =>
  (
    await sql<Named>`SELECT p.*, silo.name AS silo_name, project.name AS project_name, u.external_id AS user_name
      FROM alert_activity_place p LEFT JOIN silo ON silo.id = p.silo_id LEFT JOIN project ON project.id = p.project_id
      LEFT JOIN silo_user u ON u.id = p.silo_user_id WHERE ${condition} ORDER BY p.time_created, p.id`.execute(
      db,
    )
  ).rows

export async function listPlaces(cx: Cx, at: Selectors): Promise<{ items: AlertActivityPlace[] }> {
  const { row } = await need(cx, 'alert_receiver', at, 'read')
  return { items: await viewsOf(cx, await placesWhere(cx.db, sql`p.alert_receiver_id = ${row.id}`)) }
}

/** Each with whether the user who added it may still see it. */
async function viewsOf(cx: Cx, places: readonly Named[]): Promise<AlertActivityPlace[]> {
  const hearing = await heardBy(cx, places)
  return places.map((place) => ({
    id: place.id,
    silo: { id: place.silo_id, name: place.silo_name },
    project: place.project_id === null ? null : { id: place.project_id, name: place.project_name },
    added_by: { id: place.silo_user_id, name: place.user_name },
    time_created: place.time_created.toISOString(),
    is_heard: hearing.has(place.id),
  }))
}

/** The ids of the places that are still seen by who added them. */
async function heardBy(cx: Cx, places: readonly Place[]): Promise<ReadonlySet<string>> {
  const heard = new Set<string>()
  for (const user of new Set(places.map(({ silo_user_id }) => silo_user_id))) {
    const person = await findPerson(cx.services, user)
    if (!person) continue
    const seeing = cxOf(cx.services, person)
    for (const place of places) if (place.silo_user_id === user && hears(seeing, place)) heard.add(place.id)
  }
  return heard
}

/** The caller's own roles decide, now and with each alert: a role on the fleet shows nothing inside of silos. */
export async function addPlace(cx: Cx, at: Selectors, project: string | null): Promise<AlertActivityPlace> {
  const { row: receiver } = await need(cx, 'alert_receiver', at, 'modify')
  const { user_id, silo_id } = cx.user()
  const found = project === null ? undefined : (await need(cx, 'project', { project }, 'list_children')).row
  if (!found && !cx.can('list_children', { class: 'silo', silo_id }))
    throw invalid(
      `the activity of the silo is not yours to send: it needs ${needed('list_children', { class: 'silo' })}`,
      'Name a project that you may see, or ask an admin of the silo to add it.',
    )
  const id = await change(cx, fleetScope, async (tx) => {
    await tx.lock('alert_receiver', receiver)
    const place = { alert_receiver_id: receiver.id, silo_id, project_id: found?.id ?? null }
    const known = await placesOf(tx, receiver.id)
    const same = known.find((one) => one.silo_id === place.silo_id && one.project_id === place.project_id)
    if (!same && known.length >= deliveryRules.placesPerReceiver)
      throw insufficient(
        `a receiver gets the activity of at most ${deliveryRules.placesPerReceiver} projects and silos`,
      )
    const added = { ...place, id: cx.newId(), silo_user_id: user_id, time_created: cx.now() }
    // The caller takes it over from a user who may have lost sight of it.
    if (same) await tx.plain.deleteFrom('alert_activity_place').where('id', '=', same.id).execute()
    await tx.plain.insertInto('alert_activity_place').values(added).execute()
    tx.note(
      'alert-receiver',
      receiver.id,
      { activity_places: known.map(placeName) },
      { activity_places: [...known.filter((one) => one !== same), added].map(placeName) },
    )
    return added.id
  })
  const [view] = await viewsOf(cx, await placesWhere(cx.db, sql`p.id = ${id}`))
  if (!view) throw addressOf('alert-activity-place', id)
  return view
}

export async function removePlace(cx: Cx, at: Selectors, place_id: string): Promise<void> {
  const { row: receiver } = await need(cx, 'alert_receiver', at, 'modify')
  await change(cx, fleetScope, async (tx) => {
    await tx.lock('alert_receiver', receiver)
    const known = await placesOf(tx, receiver.id)
    const left = known.filter(({ id }) => id !== place_id)
    if (left.length === known.length) throw addressOf('alert-activity-place', place_id)
    await tx.plain.deleteFrom('alert_activity_place').where('id', '=', place_id).execute()
    tx.note(
      'alert-receiver',
      receiver.id,
      { activity_places: known.map(placeName) },
      { activity_places: left.map(placeName) },
    )
  })
}

const placesOf = (tx: Change, receiver: string): Promise<Place[]> =>
  tx.read
    .selectFrom('alert_activity_place')
    .selectAll()
    .where('alert_receiver_id', '=', receiver)
    .orderBy('time_created')
    .orderBy('id')
    .execute()

const placeName = ({ silo_id, project_id }: Scope): string => project_id ?? silo_id ?? ''
