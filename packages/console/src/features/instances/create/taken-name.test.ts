import { expect, test } from 'vitest'
import { Failure } from '#/data/failure.ts'
import { failureText } from '#/kit/feedback/failure-text.ts'
import { fieldOf, namingDisk } from './taken-name.ts'
import type { QueuedDisk } from './values.ts'

const taken = (message: string, takenName?: string) =>
  new Failure({
    message,
    errorCode: 'ObjectAlreadyExists',
    statusCode: 400,
    ...(takenName && { takenName }),
  })
const created = { type: 'create', body: { name: 'data' } } as QueuedDisk
const attached: QueuedDisk = { type: 'attach', name: 'attached', size: 1 }
const sent = (bootSource: 'silo' | 'disk', bootDiskName: string) => ({
  bootSource,
  bootDiskName,
  disks: [created, attached],
})
const fieldAfter = (failure: Failure, values: ReturnType<typeof sent>) =>
  fieldOf(namingDisk(failure, values), values)

test.each([
  ['Instance name already exists', 'web', sent('silo', 'boot'), 'name'],
  ['Instance name already exists', 'data', sent('silo', 'boot'), 'name'],
  ['Disk name already exists', 'boot', sent('silo', 'boot'), 'bootDiskName'],
  ['Disk name already exists', 'web-debian-abc123', sent('silo', ''), 'bootDiskName'],
  ['Disk name already exists', 'data', sent('silo', 'boot'), undefined],
  ['Disk name already exists', 'data', sent('silo', ''), undefined],
  ['Disk name already exists', 'data', sent('disk', ''), undefined],
  ['Disk name already exists', 'boot', sent('disk', 'boot'), undefined],
  ['Disk name already exists', undefined, sent('silo', 'boot'), undefined],
] as const)('%s, which is %s, of %j: field %s', (message, name, values, field) =>
  expect(fieldAfter(taken(message, name), values)).toBe(field),
)

test('the refusal of an additional disk names it', () => {
  const values = sent('silo', 'boot')
  expect(failureText(namingDisk(taken('Disk name already exists', 'data'), values))).toBe(
    'Disk name already exists. Remove disk data, then create it with another name.',
  )
  const bootDisk = taken('Disk name already exists', 'boot')
  expect(namingDisk(bootDisk, values)).toBe(bootDisk)
})
