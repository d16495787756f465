import fs from 'node:fs/promises'
import path from 'node:path'
import type { HostUsage, LinkUsage, UsageColumn } from '@gantry/control-plane/fleet/fleet'

const HWMON = '/sys/class/hwmon'
const LINKS = '/sys/class/net'

/** Readings of the host's sensors, by kind and name (`Documentation/hwmon/sysfs-interface` of Linux). */
export interface SensorReadings {
  temperatures: Record<string, number>
  watts: Record<string, number>
  rpms: Record<string, number>
}

/** Files of a sensor: thousandths of a degree, millionths of a watt, turns a minute. */
const kinds = [
  { kind: 'temperatures', file: /^(temp\d+)_input$/, unit: 1000 },
  { kind: 'watts', file: /^(power\d+)_(?:input|average)$/, unit: 1_000_000 },
  { kind: 'rpms', file: /^(fan\d+)_input$/, unit: 1 },
] as const satisfies readonly { kind: keyof SensorReadings; file: RegExp; unit: number }[]

/** Only real sensors: many virtual hosts have none. */
export async function readSensors(root = HWMON): Promise<SensorReadings> {
  const readings: SensorReadings = { temperatures: {}, watts: {}, rpms: {} }
  for (const chip of (await namesIn(root)).sort()) {
    const folder = path.join(root, chip)
    const chipName = (await textOf(path.join(folder, 'name'))) ?? chip
    for (const entry of (await namesIn(folder)).sort())
      for (const { kind, file, unit } of kinds) {
        const sensor = file.exec(entry)?.[1]
        if (sensor === undefined) continue
        const value = Number(await textOf(path.join(folder, entry)))
        const label = (await textOf(path.join(folder, `${sensor}_label`))) ?? sensor
        // A sensor that does not answer has an empty file or none.
        if (Number.isFinite(value)) readings[kind][`${chipName} ${label}`] ??= value / unit
      }
  }
  return readings
}

const counters = {
  bytes_sent: 'tx_bytes',
  bytes_received: 'rx_bytes',
  packets_sent: 'tx_packets',
  packets_received: 'rx_packets',
  packets_dropped: 'rx_dropped',
  errors_sent: 'tx_errors',
  errors_received: 'rx_errors',
} as const satisfies Record<Exclude<keyof LinkUsage, 'id'>, string>
export type LinkTotals = Record<keyof typeof counters, number>

/** Totals of the host's own network cards, without those that exist only in software. */
export async function readLinks(root = LINKS): Promise<Map<string, LinkTotals>> {
  const links = new Map<string, LinkTotals>()
  for (const name of (await namesIn(root)).sort()) {
    const isCard = await fs.access(path.join(root, name, 'device')).then(
      () => true,
      () => false,
    )
    if (!isCard) continue
    const totals = await Promise.all(
      Object.entries(counters).map(async ([counter, file]) => [
        counter,
        Number((await textOf(path.join(root, name, 'statistics', file))) ?? 0),
      ]),
    )
    links.set(name, Object.fromEntries(totals) as LinkTotals)
  }
  return links
}

/** The totals of a link, and since when they count (ms). */
export interface CountedLink {
  since: number
  totals: LinkTotals
}
type HostReading = SensorReadings & { links: ReadonlyMap<string, CountedLink> }

export const hostColumns = (
  { links, temperatures, watts, rpms }: HostReading,
  column: (key: string, value: number, isGauge: boolean) => UsageColumn,
): HostUsage => {
  const gauge = (kind: keyof SensorReadings) => (value: number, key: string) =>
    column(`${kind} ${key}`, value, true)
  return {
    // Totals since another time are other ones: nothing is interpolated between them.
    links: [...links].map(([id, { since, totals }]) => ({
      id,
      since: new Date(since),
      ...mapValues(totals, (value, key) => column(`${id} ${since} ${key}`, value, false)),
    })),
    temperatures: mapValues(temperatures, gauge('temperatures')),
    watts: mapValues(watts, gauge('watts')),
    rpms: mapValues(rpms, gauge('rpms')),
  }
}

const mapValues = <Key extends string, From, To>(
  values: Readonly<Record<Key, From>>,
  map: (value: From, key: Key) => To,
): Record<Key, To> =>
  Object.fromEntries(
    Object.entries<From>(values).map(([key, value]) => [key, map(value, key as Key)]),
  ) as Record<Key, To>

const namesIn = (folder: string): Promise<string[]> => fs.readdir(folder).catch(() => [])
/** Undefined if the file is missing or cannot be read now. */
const textOf = (file: string): Promise<string | undefined> =>
  fs.readFile(file, 'utf8').then(
    (text) => text.trim() || undefined,
    () => undefined,
  )
