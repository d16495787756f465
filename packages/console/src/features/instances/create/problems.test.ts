import { expect, test } from 'vitest'
import {
  bootableDisks,
  bootDiskNameProblem,
  bootSourceProblem,
  groupsProblem,
  interfacesProblem,
  optionalHostnameProblem,
  sshKeysProblem,
  takenDiskNames,
  userDataProblem,
  whyNoMoreDisks,
} from './problems.ts'
import type { Disk } from '#/features/disks/queries.ts'
import type { QueuedDisk } from './values.ts'

const queued: QueuedDisk[] = [{ type: 'attach', name: 'queued', size: 1 }]

test('validates the selected boot source only', () => {
  const counts = { silo: 0, project: 0, disk: 2, copy: 1, installer: 0, template: 0 }
  expect(bootSourceProblem({ bootSource: 'silo' }, counts)).toBe('Image required')
  expect(bootSourceProblem({ bootSource: 'disk' }, counts)).toBeUndefined()
  expect(bootSourceProblem({ bootSource: 'disk' }, { ...counts, disk: 0 })).toBe('Disk required')
  expect(bootSourceProblem({ bootSource: 'copy' }, counts)).toBeUndefined()
})

test('a queued or attached disk cannot be the boot disk', () => {
  const disks: Pick<Disk, 'name' | 'state'>[] = [
    { name: 'detached', state: { state: 'detached' } },
    { name: 'creating', state: { state: 'creating' } },
    { name: 'attached', state: { state: 'attached', instance: 'i' } },
    { name: 'faulted', state: { state: 'faulted' } },
  ]
  const names = (list: readonly QueuedDisk[]) => bootableDisks(disks, [...list]).map(({ name }) => name)
  expect(names([])).toEqual(['detached', 'creating'])
  expect(names([{ type: 'attach', name: 'detached', size: 1 }])).toEqual(['creating'])
})

test.each([
  ['silo', ['there', 'queued', 'root']],
  ['project', ['there', 'queued', 'root']],
  ['copy', ['there', 'queued', 'root']],
  ['disk', ['there', 'queued']],
] as const)('with a boot disk from %s, the names of new disks exclude %j', (bootSource, names) =>
  expect(takenDiskNames({ bootSource, bootDiskName: 'root', disks: queued }, [{ name: 'there' }])).toEqual(
    names,
  ),
)

test("a boot disk cannot take another disk's name", () => {
  expect(bootDiskNameProblem('there', [{ name: 'there' }], [])).toMatch(/in use/)
  expect(bootDiskNameProblem('queued', [], queued)).toMatch(/in use/)
  expect(bootDiskNameProblem('free', [{ name: 'there' }], queued)).toBeUndefined()
})

test.each([
  ['user data of 32 KiB', userDataProblem({ size: 32 * 1024 }), false],
  ['user data of a byte more', userDataProblem({ size: 32 * 1024 + 1 }), true],
  ['no user data', userDataProblem(undefined), false],
  ['custom networking without an interface', interfacesProblem([]), true],
  ['with one', interfacesProblem([1]), false],
  ['no host name', optionalHostnameProblem(''), false],
  ['a host name with a space', optionalHostnameProblem('a b'), true],
  ['a valid host name', optionalHostnameProblem('web.example'), false],
  ['100 keys', sshKeysProblem(Array.from({ length: 100 }, String)), false],
  ['101 keys', sshKeysProblem(Array.from({ length: 101 }, String)), true],
  ['16 groups', groupsProblem(Array.from({ length: 16 })), false],
  ['17 groups', groupsProblem(Array.from({ length: 17 })), true],
  ['six disks beside the boot disk', whyNoMoreDisks(Array.from({ length: 6 })), false],
  ['seven', whyNoMoreDisks(Array.from({ length: 7 })), true],
])('%s is refused: %s', (_, problem, isRefused) => expect(problem !== undefined).toBe(isRefused))
