import type { AlertClass } from '@gantry/api/system/alert-class.rules'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addAlert } from '../../testing/alerts.ts'
import { type Caller, said, testControlPlane, type TestBed } from '../../testing/control-plane.ts'
import { keepEpisodes } from '../system/episodes.ts'
import { testServices } from '../../testing/services.ts'
import { alertWatch } from './watch.ts'

let bed: TestBed
let operator: Caller
beforeAll(async () => {
  bed = await testControlPlane()
  operator = await bed.signIn('admin')
})
afterAll(() => bed.stop())

const at = (minute: number) => new Date(Date.UTC(2001, 7, 14, 12, minute))
const add = async (alert_class: AlertClass, minute: number, more: object = {}): Promise<string> => {
  const id = crypto.randomUUID()
  const payload = JSON.stringify({ message: `minute ${minute}` })
  await bed.db
    .insertInto('alert')
    .values({ id, alert_class, payload, time_created: at(minute), ...more })
    .execute()
  return id
}
interface Listed {
  id: string
  class: string
}
const list = async (query = ''): Promise<Listed[]> => (await operator.get(`/v1/alerts?${query}`)).body.items
/** Leaves out what the installation raises meanwhile. */
const old = `end_time=${at(59).toISOString()}`
const ids = async (query: string) => (await list(query)).map(({ id }) => id)

test('alerts are listed by time, by class or pattern, and page by page', async () => {
  const first = await add('issue.failed_instance.began', 1)
  const second = await add('issue.failed_instance.ended', 2)
  // Of one time, the id decides.
  const third = [await add('metric.fleet_threshold.began', 3), await add('activity.sled.edited', 3)].sort()
  const all = [first, second, ...third]
  expect(await ids(old)).toEqual(all)
  expect(await ids(`${old}&sort_by=time_and_id_descending`)).toEqual(all.toReversed())

  expect(await ids(`${old}&alert_class=issue.failed_instance.ended`)).toEqual([second])
  expect(await ids(`${old}&alert_class=issue.**`)).toEqual([first, second])
  expect(await ids(`${old}&alert_class=**.began`)).toHaveLength(2)
  expect(await ids(`start_time=${at(2).toISOString()}&end_time=${at(2).toISOString()}`)).toEqual([second])
  expect(await ids(`${old}&start_time=${at(2).toISOString()}`)).toEqual(all.slice(1))
  expect(await ids(`end_time=${at(2).toISOString()}`)).toEqual(all.slice(0, 2))

  const seen: string[] = []
  let query = `limit=1&alert_class=**&sort_by=time_and_id_descending&${old}`
  for (let page = 0; page < 10; page++) {
    const { items, next_page } = (await operator.get(`/v1/alerts?${query}`)).body
    seen.push(...items.map(({ id }: Listed) => id))
    if (!next_page) break
    query = `limit=1&page_token=${encodeURIComponent(next_page)}`
  }
  expect(seen).toEqual(all.toReversed())
})

test.each([
  [
    'alert_class=probe',
    '400 unsupported value for "alert_class": probes are not kept, so that none is listed',
  ],
  ['alert_class=issue.unheard_of.began', /^400 unsupported value for "alert_class": expected one of \[/],
  ['alert_class=nothing.**', '404 not found: no alert class matches "nothing.**"'],
  ['alert_class=no way', /^400 .*expected a class such as/],
  ['start_time=2026-08-14T12:00:01Z&end_time=2026-08-14T12:00:00Z', '400 end_time is before start_time'],
])('refuses %s', async (query, words) =>
  expect(said(await operator.get(`/v1/alerts?${query}`))).toMatch(
    words instanceof RegExp ? words : new RegExp(`^${words.replaceAll(/[.*+?()[\]{}]/g, String.raw`\$&`)}$`),
  ),
)

test('an alert has its data, the number of their schema, and its last delivery to each receiver', async () => {
  const { alert_id, receiver_id, delivery_id } = await addAlert(bed.db, 'pager')
  const { body } = await operator.get(`/v1/alerts/${alert_id}`)
  expect(body).toEqual({
    id: alert_id,
    time_created: expect.any(String),
    time_modified: body.time_created,
    class: 'issue.failed_instance.began',
    version: 1,
    alert: { message: 'x' },
    is_withheld: false,
    deliveries: { pending: 0, delivered: 0, failed: 1 },
    receivers: [
      { id: receiver_id, name: 'pager', delivery_id, state: 'failed', time_started: expect.any(String) },
    ],
  })
  const resent = await operator.post(`/v1/alerts/${alert_id}/resend?receiver=pager`)
  const { deliveries, receivers } = (await operator.get(`/v1/alerts/${alert_id}`)).body
  expect(deliveries).toEqual({ pending: 1, delivered: 0, failed: 1 })
  expect(receivers).toMatchObject([{ delivery_id: resent.body.delivery_id, state: 'pending' }])

  const unknown = crypto.randomUUID()
  expect(said(await operator.get(`/v1/alerts/${unknown}`))).toBe(`404 not found: alert with id "${unknown}"`)
  expect((await operator.get('/v1/alerts/001de000-7768-4000-8000-000000000001')).status).toBe(404)
})

test('what is raised is listed, and listeners of the fleet hear of it', async () => {
  const [{ id: sled_id }] = (await operator.get('/v1/system/hardware/sleds')).body.items
  await operator.post('/ext/v1/faults', { kind: 'sled_lost', sled_id })
  const services = testServices({ db: bed.db })
  await keepEpisodes(services)
  await alertWatch.run(services)
  const [alert] = await list('alert_class=issue.fault.began&sort_by=time_and_id_descending')
  const change = await bed.db
    .selectFrom('change')
    .select(['silo_id', 'entry_id'])
    .where('kind', '=', 'alert')
    .where('object_id', '=', alert?.id ?? '')
    .executeTakeFirst()
  expect(change).toMatchObject({ silo_id: null })
})

test('activity inside of silos is withheld from those who may not see it', async () => {
  const silo_id = await bed.addSilo('private')
  const id = await add('activity.project.created', 9, {
    silo_id,
    payload: JSON.stringify({
      changes: [{ kind: 'project', id: crypto.randomUUID() }],
      actor: { id: null },
      object: 'secret',
    }),
  })
  const { body } = await operator.get(`/v1/alerts/${id}`)
  expect(body).toMatchObject({ alert: {}, is_withheld: true })
  expect(JSON.stringify(await list(old))).not.toContain('secret')
})
