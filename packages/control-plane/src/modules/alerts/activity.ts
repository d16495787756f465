import type { ActivityEntry } from '@gantry/api/history/activity'
import {
  type ActivityClass,
  activityClass,
  type AlertClass,
  alertClassNames,
  isActivityClass,
} from '@gantry/api/system/alert-class.rules'
import type { ActivityAlert } from '@gantry/api/system/alert-payload'
import { sql } from 'kysely'
import type { SiloUser } from '../../authz/actor.ts'
import { findPerson } from '../../authz/person.ts'
import { type Change, change, fleetScope } from '../../change/change.ts'
import { systemCx } from '../../context/cx.ts'
import type { Services } from '../../context/services.ts'
import { portions } from '../../db/portions.ts'
import type { Row } from '../../db/tables.ts'
import type { StoredTags } from '../../db/tables/column-types.ts'
import { lastSequence } from '../../stream/publisher.ts'
import type { Reconciler } from '../../work/loop.ts'
import { entriesAt } from '../history/entries.ts'
import { listOf, tagsIn } from '../tags/stored.ts'
import { cxOf, hears } from './places.ts'
import { deliveryOf, queueDeliveries, storedAlert, subscriptionsOfAll } from './raise.ts'

/** The number of the last change that was considered. */
const counter = 'activity-alerts'
/** Changes of one turn. */
const batch = 500

/** Raises an alert for each entry of activity that receivers subscribe to, once, in the order of their numbers. */
export const activityAlerts: Reconciler = {
  name: 'activity-alerts',
  everyMs: 1000,
  run: async (services) => ((await considerActivity(services)) ? 0 : undefined),
}

type Lead = Pick<
  Row<'change'>,
  'id' | 'time' | 'entry_id' | 'kind' | 'object_id' | 'silo_id' | 'project_id'
> & {
  action: NonNullable<Row<'change'>['action']>
  tags: StoredTags | null
}

/** A receiver with what it gets, and as whom. */
interface Hearing {
  receiver: string
  as: SiloUser
  covers: (name: AlertClass) => boolean
  reaches: (lead: Lead) => boolean
}

/** Whether more changes wait. */
export async function considerActivity(services: Services): Promise<boolean> {
  const { db } = services
  const begun = await db.selectFrom('counter').select('value').where('name', '=', counter).executeTakeFirst()
  const last = await lastSequence(db)
  if (!begun) {
    // What happened before is no news.
    await sql`INSERT INTO counter (name, value) VALUES (${counter}, ${last})
      ON CONFLICT (name) DO NOTHING`.execute(db)
    return false
  }
  if (begun.value >= last) return false
  // Read after the numbers: who subscribes later gets what happens later.
  const hearings = await hearingsOf(services)
  const until = hearings.length === 0 ? last : Math.min(last, begun.value + batch)
  const told = hearings.length === 0 ? [] : await toldTo(services, hearings, begun.value, until)
  await change(systemCx(services, counter), fleetScope, async (tx) => {
    const moved = await tx.plain
      .updateTable('counter')
      .set({ value: until })
      .where('name', '=', counter)
      .where('value', '=', begun.value)
      .executeTakeFirst()
    // Another process was first.
    if (moved.numUpdatedRows > 0n) await raiseTold(tx, told)
  })
  return until < last
}

/** Every receiver with a subscription to activity: to that of the fleet, and to that of its places. */
async function hearingsOf(services: Services): Promise<Hearing[]> {
  const subscriptions = await subscriptionsOfAll(services.db)
  const subscribed = [...subscriptions].filter(([, covers]) =>
    alertClassNames.some((name) => isActivityClass(name) && covers(name)),
  )
  if (subscribed.length === 0) return []
  const ofFleet = subscribed.map(([receiver, covers]): Hearing => ({
    receiver,
    as: fleetViewer,
    covers,
    reaches: ({ silo_id }) => silo_id === null,
  }))
  const places = await services.db
    .selectFrom('alert_activity_place')
    .selectAll()
    .where(
      'alert_receiver_id',
      'in',
      subscribed.map(([receiver]) => receiver),
    )
    .orderBy('time_created')
    .orderBy('id')
    .execute()
  const people = new Map<string, SiloUser>()
  for (const id of new Set(places.map(({ silo_user_id }) => silo_user_id))) {
    const person = await findPerson(services, id)
    if (person) people.set(id, person)
  }
  const ofPlaces = places.flatMap((place): Hearing[] => {
    const as = people.get(place.silo_user_id)
    const covers = subscriptions.get(place.alert_receiver_id)
    // Who lost sight of a place gets no more of it.
    if (!as || !covers || !hears(cxOf(services, as), place)) return []
    const { alert_receiver_id: receiver, silo_id, project_id } = place
    const reaches = (lead: Lead) =>
      lead.silo_id === silo_id && (project_id === null || lead.project_id === project_id)
    return [{ receiver, as, covers, reaches }]
  })
  return [...ofFleet, ...ofPlaces]
}

/** What viewers of the fleet see, and nothing inside of silos. */
const fleetViewer: SiloUser = {
  kind: 'silo_user',
  time_created: new Date(0),
  time_modified: new Date(0),
  user_id: '00000000-0000-4000-8000-000000000000',
  silo_id: '00000000-0000-4000-8000-000000000000',
  display_name: '',
  silo_name: '',
  credential: undefined,
  fleet: 'viewer',
  silo: undefined,
  project: () => undefined,
  projects: [],
}

interface Told {
  lead: Lead
  name: ActivityClass
  entry: ActivityEntry
  receivers: string[]
}

/** The entries between two numbers, as each user may see them, with the receivers that get them. */
async function toldTo(
  services: Services,
  hearings: readonly Hearing[],
  from: number,
  until: number,
): Promise<Told[]> {
  const { rows } = await sql<Lead>`
    SELECT id, time, entry_id, kind, object_id, silo_id, project_id, action,
      coalesce(after, before)->'tags' AS tags FROM change
    WHERE seq > ${from} AND seq <= ${until} AND id = entry_id AND action IS NOT NULL ORDER BY seq`.execute(
    services.db,
  )
  const heard = rows.flatMap((lead) => {
    const name = activityClass(lead.kind, lead.action)
    // One user's view for each receiver, whatever leads to it.
    const receivers = new Map<string, SiloUser>()
    for (const { receiver, as, covers, reaches } of hearings)
      if (!receivers.has(receiver) && reaches(lead) && covers(name)) receivers.set(receiver, as)
    return receivers.size > 0 ? [{ lead, name, receivers }] : []
  })
  const views = new Map<SiloUser, ReadonlyMap<string, ActivityEntry>>()
  for (const as of new Set(heard.flatMap(({ receivers }) => [...receivers.values()]))) {
    const leads = heard.filter(({ receivers }) => [...receivers.values()].includes(as))
    const entries = await entriesAt(
      cxOf(services, as),
      leads.map(({ lead }) => lead),
    )
    views.set(as, new Map(entries.map((entry) => [entry.id, entry])))
  }
  return heard.flatMap(({ lead, name, receivers }) => {
    const viewers = new Set(receivers.values())
    return [...viewers].flatMap((as): Told[] => {
      const entry = views.get(as)?.get(lead.id)
      const to = [...receivers].filter(([, user]) => user === as).map(([receiver]) => receiver)
      return entry ? [{ lead, name, entry, receivers: to }] : []
    })
  })
}

async function raiseTold(tx: Change, told: readonly Told[]): Promise<void> {
  const raised = told.map(({ lead, name, entry, receivers }) => {
    const { object_id, silo_id, project_id } = lead
    // What happens to one object arrives in order.
    const about = { alert_class: name, subject: `activity:${object_id}`, silo_id, project_id }
    const payload: ActivityAlert = { ...entry, tags: listOf(tagsIn(lead.tags)) }
    return { alert: storedAlert(tx, about, payload), receivers }
  })
  for (const some of portions(raised.map(({ alert }) => alert)))
    await tx.plain.insertInto('alert').values(some).execute()
  await queueDeliveries(
    tx,
    raised.flatMap(({ alert, receivers }) =>
      receivers.map((receiver) => deliveryOf(alert, receiver, 'alert')),
    ),
  )
}
