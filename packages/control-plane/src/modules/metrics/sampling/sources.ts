import type { Reader } from '@gantry/control-plane/db/database'
import type { LinkUsage, UsageColumn } from '@gantry/control-plane/fleet/fleet'
import type { Services } from '@gantry/control-plane/context/services'
import { grouped } from '../store/grouped.ts'
import type { PlainFields, SampledSeries, SourceSamples } from './samples.ts'

/** Objects per statement, to limit the memory of a round. */
const pageRows = 200

type Measuring = Pick<Services, 'db' | 'fleet'>
/** The times of a round in milliseconds, ascending. */
export interface RoundTimes {
  /** For vCPUs. */
  fine: readonly number[]
  /** For everything else; a subset of the fine times. */
  coarse: readonly number[]
}

/** All samples of the fleet at these times, one object at a time. */
export async function* fleetSamples(on: Measuring, times: RoundTimes): AsyncGenerator<SourceSamples[]> {
  for (let after = ''; ;) {
    const vms = await runningVms(on.db, after)
    const last = vms.at(-1)
    if (!last) break
    after = last.id
    yield await vmSamples(on, vms, times)
  }
  yield await sledSamples(on, times)
}

type RunningVm = Awaited<ReturnType<typeof runningVms>>[number]

/** During a migration, the source VMM is measured. */
const runningVms = (db: Reader, after: string) => {
  const all = db
    .selectFrom('vmm as v')
    .innerJoin('instance as i', 'i.vmm_id', 'v.id')
    .innerJoin('project as p', 'p.id', 'i.project_id')
    .innerJoin('sled as s', 's.id', 'v.sled_id')
    .select(['v.id', 'v.ncpus', 'v.time_created as since', 'v.sled_id'])
    .select(['i.id as instance_id', 'p.id as project_id', 'p.silo_id'])
    .select(['s.part as sled_model', 's.revision as sled_revision', 's.serial as sled_serial'])
    .where('v.time_gone', 'is', null)
    .orderBy('v.id')
    .limit(pageRows)
  return (after === '' ? all : all.where('v.id', '>', after)).execute()
}

async function vmSamples(
  { db, fleet }: Measuring,
  vms: readonly RunningVm[],
  times: RoundTimes,
): Promise<SourceSamples[]> {
  const instances = vms.map(({ instance_id }) => instance_id)
  const disks = await db
    .selectFrom('disk')
    .select(['id', 'instance_id', 'block_size'])
    .where('instance_id', 'in', instances)
    .where('time_deleted', 'is', null)
    .orderBy('id')
    .execute()
  const nics = await db
    .selectFrom('network_interface')
    .select(['id', 'instance_id'])
    .where('instance_id', 'in', instances)
    .where('time_deleted', 'is', null)
    .orderBy('id')
    .execute()
  const disksOf = grouped(disks, ({ instance_id }) => instance_id)
  const nicsOf = grouped(nics, ({ instance_id }) => instance_id)
  const usages = await fleet.measurements.machines(
    vms.map(({ id, ncpus, since, instance_id }) => ({
      id,
      ncpus,
      since,
      disks: (disksOf.get(instance_id) ?? []).map((disk) => disk.id),
      interfaces: (nicsOf.get(instance_id) ?? []).map((nic) => nic.id),
    })),
    times.fine.map((time) => new Date(time)),
  )
  return vms.flatMap((vm): SourceSamples[] => {
    const usage = usages.get(vm.id)
    if (!usage) return []
    const { instance_id, project_id, silo_id, sled_id, sled_model, sled_revision, sled_serial } = vm
    const blockSizes = new Map(disks.map(({ id, block_size }) => [id, block_size]))
    const since = vm.since.getTime()
    const place = { project_id, silo_id }
    const column = columnsAt(times, since)
    const machine = { instance_id, ...place, sled_id, sled_model, sled_revision, sled_serial }
    return [
      {
        // Its counters restart with each VMM, but its timeseries continue.
        source: `instance:${instance_id}`,
        timeseries: [
          ...usage.vcpus.flatMap((states, vcpu_id) =>
            Object.entries(states).map(([state, values]) =>
              column.fine('virtual_machine:vcpu_usage', { ...machine, state, vcpu_id }, values),
            ),
          ),
          ...usage.disks.flatMap(({ id, ...totals }) => {
            const disk = { attached_instance_id: instance_id, block_size: blockSizes.get(id) ?? 512 }
            return Object.entries(totals).map(([metric, values]) =>
              column.coarse(`virtual_disk:${metric}`, { ...disk, disk_id: id, ...place }, values),
            )
          }),
          ...usage.interfaces.flatMap(({ id, ...totals }) =>
            Object.entries(totals).map(([metric, values]) =>
              column.coarse(
                `instance_network_interface:${metric}`,
                { interface_id: id, instance_id, ...place },
                values,
              ),
            ),
          ),
        ].filter((series) => series.times.length > 0),
      },
    ].filter(({ timeseries }) => timeseries.length > 0)
  })
}

/** Converts columns to timeseries. Those of one object share their times, without times before it existed. */
function columnsAt({ fine, coarse }: RoundTimes, since: number) {
  const wanted = new Set(coarse)
  const inFine = fine.flatMap((time, index) => (time >= since ? [index] : []))
  const inCoarse = inFine.filter((index) => wanted.has(fine[index] ?? 0))
  const maker = (indexes: readonly number[]) => {
    const times = indexes.map((index) => fine[index] ?? 0)
    return (name: string, fields: PlainFields, values: UsageColumn, isGauge = false): SampledSeries => ({
      name,
      fields,
      times,
      ...(!isGauge && { since }),
      values: indexes.map((index) => values[index] ?? null),
    })
  }
  return { fine: maker(inFine), coarse: maker(inCoarse) }
}

const linkMetrics = [
  'bytes_sent',
  'bytes_received',
  'packets_sent',
  'packets_received',
  'errors_sent',
  'errors_received',
] as const satisfies readonly (keyof LinkUsage)[]

async function sledSamples({ db, fleet }: Measuring, times: RoundTimes): Promise<SourceSamples[]> {
  const sleds = await db.selectFrom('sled').selectAll().where('time_deleted', 'is', null).execute()
  // The service processor of a sled answers to the gateway on its rack's first switch.
  const gateways = await db.selectFrom('switch').select(['id', 'rack_id']).orderBy('serial', 'desc').execute()
  const gatewayOf = new Map(gateways.map(({ id, rack_id }) => [rack_id, id]))
  const usages = await fleet.measurements.hosts(
    sleds.map(({ id, time_created }) => ({ id, since: time_created })),
    times.fine.map((time) => new Date(time)),
  )
  return sleds.flatMap((sled): SourceSamples[] => {
    const usage = usages.get(sled.id)
    if (!usage) return []
    const { id: sled_id, part: model, revision, serial, rack_id, cubby } = sled
    const { coarse } = columnsAt(times, sled.time_created.getTime())
    const sledFields = { rack_id, sled_id, sled_model: model, sled_revision: revision, sled_serial: serial }
    const chassis = {
      rack_id,
      slot: cubby,
      chassis_kind: 'sled',
      chassis_serial: serial,
      chassis_model: model,
      chassis_revision: revision,
      hubris_archive_id: '',
      gateway_id: gatewayOf.get(rack_id) ?? rack_id,
    }
    const sensors = (
      metric: string,
      component_kind: string,
      component_id: string,
      description: string,
      values: Readonly<Record<string, UsageColumn>>,
    ) =>
      Object.entries(values).map(([sensor, column]) =>
        coarse(
          `hardware_component:${metric}`,
          { ...chassis, component_kind, component_id, description, sensor },
          column,
          true,
        ),
      )
    const timeseries = [
      ...usage.links.flatMap((link) => {
        const counted = columnsAt(times, link.since.getTime())
        return linkMetrics.map((metric) =>
          counted.coarse(
            `sled_data_link:${metric}`,
            { ...sledFields, kind: 'physical', link_name: link.id, zone_name: 'global' },
            link[metric],
          ),
        )
      }),
      ...sensors('temperature', 'sbtsi', 'cpu', 'Temperature sensors', usage.temperatures),
      ...sensors('power', 'adm1272', 'input', 'Power at the input', usage.watts),
      ...sensors('fan_speed', 'max31790', 'fans', 'Fan controller', usage.rpms),
    ].filter((series) => series.times.length > 0)
    return timeseries.length > 0 ? [{ source: `sled:${sled_id}`, timeseries }] : []
  })
}
