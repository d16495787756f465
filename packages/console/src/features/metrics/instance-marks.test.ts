import { expect, test } from 'vitest'
import { markOf } from './instance-marks.ts'

const GiB = 2 ** 30
const change = { id: 'c', time: new Date(90_000), object: null, resize: null } as const
const size = (ncpus: number) => ({ ncpus, memory: ncpus * GiB })

test.each([
  [{ ...change, event: 'rebooted' }, 'Rebooted'],
  [{ ...change, event: 'restarted' }, 'Restarted automatically'],
  [{ ...change, event: 'disk_attached', object: { id: 'd', name: 'db-data' } }, 'Attached disk db-data'],
  [
    { ...change, event: 'resized', resize: { before: size(1), after: size(2) } },
    'Resized from 1 vCPU, 1 GiB to 2 vCPUs, 2 GiB',
  ],
] as const)('%o is marked in words', (given, label) => {
  expect(markOf(given)).toEqual({ time: 90, label })
})
