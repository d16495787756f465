import fs from 'node:fs/promises'
import path from 'node:path'
import { GiB } from '@gantry/api/base/bytes.rules'
import { expect, test } from 'vitest'
import { machineSpec } from '#src/testing/qemu'
import { temporaryFolder } from '#src/testing/temporary-folder'
import { cgroup2Mount, controlGroups, type GroupFolders, limitsOf } from './control-groups.ts'

/** A folder like that of control groups, at its root. */
async function groupsWith(available: string): Promise<string> {
  const root = await temporaryFolder()
  await fs.writeFile(path.join(root, 'cgroup.controllers'), available)
  await fs.writeFile(path.join(root, 'cgroup.subtree_control'), '')
  return root
}

/** What the kernel does: limits are files of a group only if the group around it allows them. */
const kernel: GroupFolders = {
  async make(folder) {
    if (await exists(folder)) return
    const allowed = await fs.readFile(path.join(folder, '../cgroup.subtree_control'), 'utf8')
    await fs.mkdir(folder)
    const limits = Object.keys(limitsOf(machineSpec())).filter((file) =>
      allowed.includes(`+${path.parse(file).name}`),
    )
    for (const file of ['cgroup.procs', 'cgroup.subtree_control', ...limits])
      await fs.writeFile(path.join(folder, file), '')
  },
  async remove(folder) {
    const entries = await fs.readdir(folder, { withFileTypes: true })
    if (entries.some((entry) => entry.isDirectory())) throw new Error(`EBUSY: ${folder}`)
    await fs.rm(folder, { recursive: true })
  },
}
const exists = (file: string): Promise<boolean> =>
  fs.access(file).then(
    () => true,
    () => false,
  )

test('each machine is limited before its guest runs, also after the last one has left', async () => {
  const root = await groupsWith('cpuset cpu io memory pids\n')
  const groups = await controlGroups('abc123', root, kernel)
  expect(groups.lacks).toBeUndefined()
  const installation = path.join(root, 'gantry-abc123')
  for (const spec of [machineSpec({ ncpus: 2, memory: GiB }), machineSpec()]) {
    const group = path.join(installation, spec.id)
    const read = (file: string): Promise<string> => fs.readFile(path.join(group, file), 'utf8')
    await groups.enter(spec, 4711)
    for (const [file, limit] of Object.entries(limitsOf(spec))) expect(await read(file)).toBe(limit)
    expect(await read('cgroup.procs')).toBe('4711')
    await groups.remove(spec.id)
    await groups.remove(spec.id)
    expect(await exists(group)).toBe(false)
  }
  await groups.close()
  expect(await exists(installation)).toBe(false)
})

test('a machine keeps its limits when the server ends, and the next one removes them', async () => {
  const root = await groupsWith('cpu memory pids\n')
  const spec = machineSpec()
  const first = await controlGroups('abc123', root, kernel)
  await first.enter(spec, 4711)
  await first.close()
  expect(await exists(path.join(root, 'gantry-abc123', spec.id, 'memory.max'))).toBe(true)
  const next = await controlGroups('abc123', root, kernel)
  await next.remove(spec.id)
  await next.close()
  expect(await exists(path.join(root, 'gantry-abc123'))).toBe(false)
})

test('limits leave room for QEMU itself', () => {
  const spec = machineSpec({ ncpus: 2, memory: GiB })
  const limits = limitsOf(spec)
  expect(limits['cpu.max']).toBe('300000 100000')
  expect(Number(limits['memory.max'])).toBeGreaterThan(spec.memory)
})

test.each([
  ['hugetlb\n', 'lack controllers: cpu, memory, pids.'],
  ['cpu memory\n', 'lack controllers: pids.'],
])('with the controllers %j, it says what is missing', async (available, words) => {
  expect((await controlGroups('abc123', await groupsWith(available))).lacks).toContain(words)
})

test('without control groups machines run without limits, and the reason is shown', async () => {
  const none = await controlGroups('abc123', undefined)
  expect(none.lacks).toBe('The host has no control groups of version 2.')
  await none.enter(machineSpec(), 1)
  await none.remove('x')
  await none.close()
  expect((await controlGroups('abc123', '/nowhere')).lacks).toContain('may not limit machines')
})

test('the mount is found beside mounts of version 1', () => {
  const mounts = [
    '31 25 0:27 / /sys/fs/cgroup/cpu rw,relatime shared:9 - cgroup cgroup rw,cpu',
    '40 25 0:36 / /sys/fs/cgroup/unified rw,relatime shared:18 - cgroup2 cgroup2 rw',
  ].join('\n')
  expect(cgroup2Mount(mounts)).toBe('/sys/fs/cgroup/unified')
  expect(cgroup2Mount('')).toBeUndefined()
})
