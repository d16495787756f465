import type { TimeseriesSchema } from './metric.ts'

type FieldType = TimeseriesSchema['field_schema'][number]['field_type']
export type FieldSpec = readonly [type: FieldType, description: string]
type Metric = readonly [
  datum: TimeseriesSchema['datum_type'],
  units: TimeseriesSchema['units'],
  description: string,
  fields?: Readonly<Record<string, FieldSpec>>,
]

interface TimeseriesTarget {
  scope: TimeseriesSchema['authz_scope']
  description: string
  /** Time between two samples; a gauge that is sampled only when it changes has none. */
  sampledMs: number
  fields: Readonly<Record<string, FieldSpec>>
  metrics: Readonly<Record<string, Metric>>
}

const project: Record<string, FieldSpec> = {
  project_id: ['uuid', 'The project it belongs to'],
  silo_id: ['uuid', 'The silo of the project'],
}
const sled: Record<string, FieldSpec> = {
  sled_id: ['uuid', 'The sled it runs on'],
  sled_model: ['string', 'Model number of the sled'],
  sled_revision: ['u32', 'Revision of the sled'],
  sled_serial: ['string', 'Serial number of the sled'],
}
const sensor: Record<string, FieldSpec> = { sensor: ['string', 'Name of the sensor'] }
const total = (units: TimeseriesSchema['units'], description: string): Metric => [
  'cumulative_u64',
  units,
  description,
]

/**
 * Timeseries that this server samples, by target (control plane reference, B 19.3). The console completes queries from
 * the same table.
 */
export const timeseriesTargets: Readonly<Record<string, TimeseriesTarget>> = {
  virtual_machine: {
    scope: 'project',
    description: 'A virtual machine of an instance',
    sampledMs: 5000,
    fields: { instance_id: ['uuid', 'The instance it runs'], ...project, ...sled },
    metrics: {
      vcpu_usage: [
        'cumulative_u64',
        'nanoseconds',
        'Time that a vCPU has spent in a state since the virtual machine started',
        {
          state: ['string', 'run, idle, waiting or emulation'],
          vcpu_id: ['u32', 'Number of the vCPU, from 0'],
        },
      ],
    },
  },
  virtual_disk: {
    scope: 'project',
    description: 'A disk attached to a running instance',
    sampledMs: 10_000,
    fields: {
      attached_instance_id: ['uuid', 'The instance it is attached to'],
      block_size: ['u32', 'Block size in bytes'],
      disk_id: ['uuid', 'The disk'],
      ...project,
    },
    metrics: {
      bytes_read: total('bytes', 'Bytes read from the disk'),
      bytes_written: total('bytes', 'Bytes written to the disk'),
      reads: total('count', 'Read operations'),
      writes: total('count', 'Write operations'),
      flushes: total('count', 'Flush operations'),
    },
  },
  instance_network_interface: {
    scope: 'project',
    description: 'A network interface of a running instance',
    sampledMs: 10_000,
    fields: {
      interface_id: ['uuid', 'The network interface'],
      instance_id: ['uuid', 'The instance it belongs to'],
      ...project,
    },
    metrics: {
      bytes_sent: total('bytes', 'Bytes sent by the instance'),
      bytes_received: total('bytes', 'Bytes received by the instance'),
      packets_sent: total('count', 'Packets sent by the instance'),
      packets_received: total('count', 'Packets received by the instance'),
      packets_dropped: total('count', 'Packets to the instance that were dropped'),
      errors_sent: total('count', 'Packets that could not be sent'),
      errors_received: total('count', 'Packets that could not be received'),
    },
  },
  collection_target: {
    scope: 'fleet',
    description: 'A project, a silo or the fleet',
    sampledMs: 10_000,
    fields: { id: ['uuid', 'The project, the silo or the fleet'] },
    metrics: {
      cpus_provisioned: ['i64', 'count', 'vCPUs of instances that are started'],
      ram_provisioned: ['i64', 'bytes', 'Memory of instances that are started'],
      virtual_disk_space_provisioned: ['i64', 'bytes', 'Size of disks and snapshots'],
    },
  },
  sled_data_link: {
    scope: 'fleet',
    description: 'A network link of a sled',
    sampledMs: 10_000,
    fields: {
      kind: ['string', 'physical or virtual'],
      link_name: ['string', 'Name of the link'],
      rack_id: ['uuid', 'The rack of the sled'],
      ...sled,
      zone_name: ['string', 'The zone that the link belongs to'],
    },
    metrics: {
      bytes_sent: total('bytes', 'Bytes sent on the link'),
      bytes_received: total('bytes', 'Bytes received on the link'),
      packets_sent: total('count', 'Packets sent on the link'),
      packets_received: total('count', 'Packets received on the link'),
      errors_sent: total('count', 'Packets that could not be sent'),
      errors_received: total('count', 'Packets that could not be received'),
    },
  },
  hardware_component: {
    scope: 'fleet',
    description: 'A part of the hardware with sensors',
    sampledMs: 10_000,
    fields: {
      rack_id: ['uuid', 'The rack it is in'],
      slot: ['u32', 'The slot in the rack'],
      chassis_kind: ['string', 'sled, switch or power'],
      chassis_serial: ['string', 'Serial number of the chassis'],
      chassis_model: ['string', 'Model number of the chassis'],
      chassis_revision: ['u32', 'Revision of the chassis'],
      hubris_archive_id: ['string', 'Firmware of the service processor'],
      gateway_id: ['uuid', 'The gateway that asks the service processor'],
      component_kind: ['string', 'Kind of the part'],
      component_id: ['string', 'Name of the part in its chassis'],
      description: ['string', 'What the part is'],
    },
    metrics: {
      temperature: ['f32', 'degrees_celsius', 'Temperature', sensor],
      power: ['f32', 'watts', 'Electrical power', sensor],
      fan_speed: ['f32', 'rpm', 'Speed of a fan', sensor],
    },
  },
}
