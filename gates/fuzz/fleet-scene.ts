import type { Caller, TestBed } from '@gantry/control-plane/testing/control-plane'
import { bareSettings, furnishNetwork, networking } from '@gantry/control-plane/testing/rack-network'
import { addBundle } from '@gantry/control-plane/testing/support-bundles'
import {
  addRepository,
  addTrustRoot,
  addUpload,
  publishersRoot,
  signedRepository,
} from '@gantry/control-plane/testing/updates'
import { addMulticastGroup } from '@gantry/control-plane/testing/multicast-group'
import type { Chance } from './chance.ts'
import { must, named } from './project.ts'

/** What operators work on, in each state that an operation needs. */
export interface FleetScene {
  /** A pool whose ranges hold no address, and one linked to a silo that has no address of it. */
  spare: { name: string; ranges: { first: string; last: string }[] }
  linked: { name: string; silo: string }
  /** Likewise of subnets: one without a member, one whose member holds no subnet, and one linked to the silo. */
  subnets: { empty: string; spare: string; member: string; linked: string; silo: string }
  /** A place for backups that holds none. */
  backupTarget: string
  /** A range of the services' pool. */
  service: { first: string; last: string }
  sledToAdd: { part: string; serial: string }
  subscription: string
  /** An archive that the trust root verifies. */
  repository: Uint8Array<ArrayBuffer>
  rack: string
}

/** Pools, a drain in progress, an alert receiver with secrets, deliveries, and support bundles. */
export async function furnishFleet(
  bed: TestBed,
  operator: Caller,
  chance: Chance,
  silo: string,
): Promise<FleetScene> {
  const fresh = (kind: string) => named(`${kind}-${chance.word()}`)
  const pool = async () => (await must(operator.post('/v1/system/ip-pools', fresh('pool')))).name as string
  const [spare, linked] = [await pool(), await pool()]
  await pool()
  const ranges = [
    { first: '198.18.7.1', last: '198.18.7.9' },
    { first: '198.18.7.11', last: '198.18.7.19' },
  ]
  for (const range of ranges) await must(operator.post(`/v1/system/ip-pools/${spare}/ranges/add`, range))
  const service = { first: '198.18.7.101', last: '198.18.7.109' }
  await must(operator.post('/v1/system/ip-pools-service/ranges/add', service))
  await must(operator.post(`/v1/system/ip-pools/${linked}/silos`, { silo, is_default: false }))

  const subnets = await furnishSubnetPools(operator, fresh, silo)
  await furnishMulticast(bed, operator, fresh, silo)
  const place = { ...fresh('place'), store: { type: 'folder', folder: 'spare' }, is_default: false }
  const backupTarget = (await must(operator.post('/ext/v1/system/backup-targets', place))).name as string

  const query = 'get hardware_component:temperature | filter timestamp > @now() - 5m | last 1'
  await must(operator.post('/ext/v1/metric-queries', { ...fresh('query'), query }))
  const receiver = await must(
    operator.post('/v1/webhook-receivers', {
      ...fresh('pager'),
      endpoint: 'https://pager.example/hook',
      secrets: [`first ${chance.word(24)}`, `second ${chance.word(24)}`],
      subscriptions: ['**'],
    }),
  )
  await addAlert(bed, receiver.id as string)
  // One to delete, and others to download.
  for (let n = 0; n < 3; n++) await addBundle(bed)
  await must(operator.post('/v1/system/update/trust-roots', publishersRoot))
  // One to delete, and others to view.
  for (let n = 0; n < 2; n++) await addTrustRoot(bed)
  for (const version of ['1.0.0', '1.1.0', '1.2.0']) await addRepository(bed, version)
  // One byte long, so that it can be completed; its verification then fails.
  for (let n = 0; n < 3; n++) await addUpload(bed, 1)
  const repository = await signedRepository('2.0.0')
  const sled = await bed.db
    .selectFrom('sled')
    .selectAll()
    .where('policy', '=', 'in_service')
    .orderBy('serial', 'desc')
    .executeTakeFirstOrThrow()
  const { part, revision, rack_id, usable_hardware_threads, usable_physical_ram } = sled
  const waiting = { part, serial: 'GS-900', revision, rack_id }
  await bed.db
    .insertInto('uninitialized_sled')
    .values({ ...waiting, cubby: 31, usable_hardware_threads, usable_physical_ram })
    .execute()
  await bed.db
    .insertInto('sled_drain')
    .values({
      id: crypto.randomUUID(),
      sled_id: sled.id,
      mode: 'move',
      state: 'running',
      time_created: new Date(),
      time_ended: null,
    })
    .execute()
  return {
    spare: { name: spare, ranges },
    linked: { name: linked, silo },
    subnets,
    backupTarget,
    service,
    sledToAdd: { part: waiting.part, serial: waiting.serial },
    subscription: '**',
    repository,
    rack: await furnishRackNetwork(operator),
  }
}

type Fresh = (kind: string) => ReturnType<typeof named>

async function furnishSubnetPools(
  operator: Caller,
  fresh: Fresh,
  silo: string,
): Promise<FleetScene['subnets']> {
  const pools = '/v1/system/subnet-pools'
  const pool = async () =>
    (await must(operator.post(pools, { ...fresh('subnets'), ip_version: 'v4' }))).name as string
  const [empty, spare, linked] = [await pool(), await pool(), await pool()]
  const member = '198.18.9.0/24'
  await must(operator.post(`${pools}/${spare}/members/add`, { subnet: member }))
  await must(operator.post(`${pools}/${linked}/silos`, { silo, is_default: false }))
  return { empty, spare, member, linked, silo }
}

/** A silo's addresses of multicast groups, and a group that two of its instances have joined. */
async function furnishMulticast(bed: TestBed, operator: Caller, fresh: Fresh, silo: string): Promise<void> {
  const pools = '/v1/system/ip-pools'
  const of = { ...fresh('pool'), pool_type: 'multicast', ip_version: 'v4' }
  const { name } = await must(operator.post(pools, of))
  await must(operator.post(`${pools}/${name}/ranges/add`, { first: '224.1.1.1', last: '224.1.1.99' }))
  await must(operator.post(`${pools}/${name}/silos`, { silo, is_default: true }))
  const instances = await bed.db
    .selectFrom('instance')
    .innerJoin('project', 'project.id', 'instance.project_id')
    .select('instance.id')
    .where('project.silo_id', '=', silo)
    .where('instance.time_deleted', 'is', null)
    .limit(2)
    .execute()
  await addMulticastGroup(
    bed,
    fresh('group').name,
    instances.map(({ id }) => id),
  )
}

/** An uplink with its peer, and one of each part that nothing uses. */
async function furnishRackNetwork(operator: Caller): Promise<string> {
  const { rack } = await furnishNetwork(operator)
  const unused = named('unused')
  await must(operator.post(`${networking}/address-lot`, { ...unused, kind: 'pool', blocks: [] }))
  const set = { ...unused, announcement: [] }
  const { status } = await operator.call('PUT', `${networking}/bgp-announce-set`, set)
  if (status !== 200) throw new Error(`the announce set answered ${status}`)
  await must(operator.post(`${networking}/bgp`, { ...unused, asn: 64_501, bgp_announce_set_id: 'announced' }))
  await must(operator.post(`${networking}/switch-port-settings`, bareSettings('unused')))
  const loopback = { address_lot: 'uplinks', address: '203.0.113.99', mask: 32, anycast: false }
  await must(
    operator.post(`${networking}/loopback-address`, {
      ...loopback,
      rack_id: rack,
      switch_location: 'switch0',
    }),
  )
  return rack
}

/** An alert whose delivery has failed, as after a receiver that was away. */
async function addAlert(bed: TestBed, alert_receiver_id: string): Promise<void> {
  const alert_class = 'issue.failed_instance.began' as const
  const [alert_id, id, now] = [crypto.randomUUID(), crypto.randomUUID(), new Date()]
  await bed.db
    .insertInto('alert')
    .values({ id: alert_id, alert_class, payload: JSON.stringify({}), time_created: now })
    .execute()
  await bed.db
    .insertInto('alert_delivery')
    .values({
      id,
      alert_receiver_id,
      alert_id,
      alert_class,
      trigger: 'alert',
      state: 'failed',
      position: 1,
      time_started: now,
      time_next: null,
    })
    .execute()
}
