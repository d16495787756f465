import fs from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#src/testing/temporary-folder'
import { hostColumns, readLinks, readSensors } from './host-sensors.ts'

async function tree(files: Readonly<Record<string, string>>): Promise<string> {
  const root = await temporaryFolder()
  for (const [file, text] of Object.entries(files)) {
    await fs.mkdir(path.dirname(path.join(root, file)), { recursive: true })
    await fs.writeFile(path.join(root, file), text)
  }
  return root
}

test('sensors are read in common units, by their labels', async () => {
  const root = await tree({
    'hwmon0/name': 'coretemp\n',
    'hwmon0/temp1_input': '54250\n',
    'hwmon0/temp1_label': 'Package id 0\n',
    'hwmon0/temp2_input': '\n',
    'hwmon0/temp1_max': '90000\n',
    'hwmon1/fan1_input': '1200\n',
    'hwmon1/power1_average': '125500000\n',
  })
  expect(await readSensors(root)).toEqual({
    temperatures: { 'coretemp Package id 0': 54.25 },
    watts: { 'hwmon1 power1': 125.5 },
    rpms: { 'hwmon1 fan1': 1200 },
  })
})

test('columns tell totals from gauges, and sensors of one name apart', () => {
  const asked: [string, number, boolean][] = []
  const links = new Map([['eth0', { since: 5000, totals: { ...noTotals, bytes_sent: 7 } }]])
  const sensors = { temperatures: { 'gpu edge': 54 }, watts: { 'gpu edge': 125 }, rpms: { fan: 1200 } }
  const columns = hostColumns({ links, ...sensors }, (...one) => {
    asked.push(one)
    return [one[1]]
  })
  expect(columns).toMatchObject({
    links: [{ id: 'eth0', since: new Date(5000), bytes_sent: [7], errors_received: [0] }],
    temperatures: { 'gpu edge': [54] },
    watts: { 'gpu edge': [125] },
    rpms: { fan: [1200] },
  })
  expect(new Set(asked.map(([key]) => key)).size).toBe(asked.length)
  expect(asked.filter(([, , isGauge]) => isGauge).map(([, value]) => value)).toEqual([54, 125, 1200])
})
const noTotals = {
  bytes_sent: 0,
  bytes_received: 0,
  packets_sent: 0,
  packets_received: 0,
  packets_dropped: 0,
  errors_sent: 0,
  errors_received: 0,
}

test('a host without sensors has none', async () => {
  expect(await readSensors('/nowhere')).toEqual({ temperatures: {}, watts: {}, rpms: {} })
})

test('only cards of the host are counted', async () => {
  const root = await tree({
    'eth0/device/vendor': '',
    'eth0/statistics/rx_bytes': '100\n',
    'eth0/statistics/tx_packets': '7\n',
    'tap0/statistics/rx_bytes': '5\n',
  })
  const links = await readLinks(root)
  expect([...links.keys()]).toEqual(['eth0'])
  expect(links.get('eth0')).toMatchObject({ bytes_received: 100, packets_sent: 7, bytes_sent: 0 })
})
