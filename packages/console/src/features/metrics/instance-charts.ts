import type { MetricQuery } from './oxql-text.ts'
import type { UnitKind } from './units.ts'

/** One chart of an instance (console reference B 7.2 and 7.3). */
export interface MetricChart {
  title: string
  subtitle?: string
  kind: UnitKind
  query: MetricQuery
}

export const cpuStates = ['run', 'emulation', 'idle', 'waiting'] as const
type CpuState = (typeof cpuStates)[number]

export const cpuStateWords: Record<CpuState, { label: string; text: string }> = {
  run: { label: 'Running', text: 'Time spent running guest code.' },
  emulation: { label: 'Emulation', text: 'Time spent by the host on behalf of the guest, such as for I/O.' },
  idle: { label: 'Idle', text: 'Time in which the guest was idle.' },
  waiting: { label: 'Waiting', text: 'Time the guest was ready to run but held back, mostly by contention.' },
}

/** All states, in pairs, if none is given. */
export const cpuCharts = (instance: string, state: CpuState | undefined): MetricChart[] =>
  (state ? [state] : cpuStates).map((each) => ({
    title: `CPU Utilization: ${cpuStateWords[each].label}`,
    subtitle: cpuStateWords[each].text,
    kind: 'percent',
    query: {
      metric: 'virtual_machine:vcpu_usage',
      where: { instance_id: instance, state: each },
      groupBy: ['vcpu_id'],
    },
  }))

const diskMetrics = [
  ['Disk Reads', 'reads', 'count'],
  ['Disk Writes', 'writes', 'count'],
  ['Bytes Read', 'bytes_read', 'bytes'],
  ['Bytes Written', 'bytes_written', 'bytes'],
  ['Disk Flushes', 'flushes', 'count'],
] as const

const diskChartsBy = (where: MetricQuery['where'], groupBy?: readonly string[]): MetricChart[] =>
  diskMetrics.map(([title, metric, kind]) => ({
    title,
    kind,
    query: { metric: `virtual_disk:${metric}`, where, ...(groupBy && { groupBy }) },
  }))

/** All disks together if none is given. */
export const diskCharts = (instance: string, disk: string | undefined): MetricChart[] =>
  diskChartsBy(
    { attached_instance_id: instance, disk_id: disk },
    disk === undefined ? ['attached_instance_id'] : undefined,
  )

/** One disk, whatever it was attached to. */
export const chartsOfDisk = (disk: string): MetricChart[] => diskChartsBy({ disk_id: disk }, ['disk_id'])

const networkMetrics = [
  ['Bytes Sent', 'bytes_sent', 'bytes'],
  ['Bytes Received', 'bytes_received', 'bytes'],
  ['Packets Sent', 'packets_sent', 'count'],
  ['Packets Received', 'packets_received', 'count'],
  ['Packets Dropped', 'packets_dropped', 'count'],
] as const

/** All network interfaces together if none is given. */
export const networkCharts = (instance: string, nic: string | undefined): MetricChart[] =>
  networkMetrics.map(([title, metric, kind]) => ({
    title,
    kind,
    query: {
      metric: `instance_network_interface:${metric}`,
      where: { instance_id: instance, interface_id: nic },
      ...(nic === undefined && { groupBy: ['instance_id'] }),
    },
  }))
