import { GiB, KiB, MiB, TiB } from '@gantry/api/base/bytes.rules'
import { expect, test } from 'vitest'
import { blockSize, diskUsage, memoryUsage } from './units.ts'

test.each([
  [0, '0B', '0', '0B'],
  [512, '512B', '512', '512B'],
  [1 * KiB, '1K', '1.0K', '1.0Ki'],
  [124 * MiB, '124M', '124M', '124Mi'],
  [1.85 * GiB, '1.9G', '1.9G', '1.8Gi'],
  [9.96 * GiB, '10G', '10G', '9.9Gi'],
  [39.875 * GiB, '39.9G', '40G', '39Gi'],
  [1023 * GiB, '1023G', '1023G', '1023Gi'],
  [1.5 * TiB, '1.5T', '1.5T', '1.5Ti'],
])('%d bytes are %s to lsblk, %s to df and %s to free', (bytes, block, disk, memory) => {
  expect([blockSize(bytes), diskUsage(bytes), memoryUsage(bytes)]).toEqual([block, disk, memory])
})
