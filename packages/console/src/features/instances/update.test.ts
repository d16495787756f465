import { expect, test } from 'vitest'
import { updateBody } from './update.ts'

const instance = {
  ncpus: 4,
  memory: 2 ** 34,
  bootDiskId: 'boot',
  autoRestartPolicy: 'never' as const,
  enableJumboFrames: true,
}
/** What every change sends again of it. */
const kept = { cpuPlatform: null, enableJumboFrames: true }

test.each([
  [
    'a resize',
    { ncpus: 8, memory: 2 ** 35 },
    { ncpus: 8, memory: 2 ** 35, bootDisk: 'boot', autoRestartPolicy: 'never', ...kept },
  ],
  [
    'unsetting the boot disk',
    { bootDisk: null },
    { ncpus: 4, memory: 2 ** 34, bootDisk: null, autoRestartPolicy: 'never', ...kept },
  ],
  [
    'setting it',
    { bootDisk: 'other' },
    { ncpus: 4, memory: 2 ** 34, bootDisk: 'other', autoRestartPolicy: 'never', ...kept },
  ],
])('%s resends the other settings unchanged', (_, change, body) => {
  expect(updateBody(instance, change)).toEqual(body)
})

test('unset settings stay unset', () => {
  const bare = {
    ncpus: 1,
    memory: 2 ** 30,
    bootDiskId: undefined,
    autoRestartPolicy: undefined,
    enableJumboFrames: false,
  }
  expect(updateBody(bare, {})).toEqual({
    ncpus: 1,
    memory: 2 ** 30,
    bootDisk: null,
    autoRestartPolicy: null,
    cpuPlatform: null,
    enableJumboFrames: false,
  })
})
