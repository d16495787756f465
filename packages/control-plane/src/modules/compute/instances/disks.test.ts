import type { RunState } from '@gantry/api/compute/instance.rules'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Answer,
  type Caller,
  testControlPlane,
  type TestBed,
} from '@gantry/control-plane/testing/control-plane'

const GiB = 1024 ** 3
let bed: TestBed
let me: Caller
beforeAll(async () => {
  bed = await testControlPlane()
  me = await bed.signIn('member')
})
afterAll(() => bed.stop())

const at = (path: string): string => `/v1/${path}?project=playground`
const newDisk = (name: string) => ({
  name,
  description: '',
  size: GiB,
  disk_source: { type: 'blank', block_size: 512 },
})
const said = ({ status, body }: Answer): string =>
  status < 400 ? `${status} ${body.state.state}` : `${status} ${body.message}`
const forced = (name: string, run_state: RunState) =>
  bed.db.updateTable('instance').set({ run_state }).where('name', '=', name).execute()

const running = {
  attach: '400 cannot attach disk: instance is not fully stopped',
  detach: '400 cannot detach disk: instance is not fully stopped',
  detachBoot: '409 boot disk cannot be detached',
}
const free = {
  attach: '202 attached',
  detach: '202 detached',
  detachBoot: '409 boot disk cannot be detached',
}
/** What each state allows with disks (control plane reference, B 4.1 and 4.2). */
const table: Partial<Record<RunState, typeof running>> = {
  creating: free,
  stopped: free,
  failed: {
    attach: '400 cannot attach disk to instance in failed state',
    detach: '202 detached',
    detachBoot: '400 cannot detach disk from instance in failed state',
  },
  starting: running,
  running,
  rebooting: running,
  stopping: running,
  migrating: running,
}

describe.each(Object.entries(table))('disks of an instance that is %s', (state, expected) => {
  test('attach and detach as in the reference, idempotently', async () => {
    const name = `on-${state}`
    await me.post(at('disks'), newDisk(`${name}-new`))
    const made = await me.post(at('instances'), {
      name,
      description: '',
      ncpus: 1,
      memory: GiB,
      hostname: name,
      start: false,
      boot_disk: { type: 'create', ...newDisk(`${name}-boot`) },
      disks: [{ type: 'create', ...newDisk(`${name}-data`) }],
    })
    expect(made.status).toBe(201)
    const act = async (verb: string, disk: string) =>
      said(await me.post(at(`instances/${name}/disks/${verb}`), { disk: `${name}-${disk}` }))
    await forced(name, state as RunState)
    // A repeated request succeeds in every state.
    expect([await act('attach', 'data'), await act('detach', 'new')]).toEqual([
      '202 attached',
      '202 detached',
    ])
    expect({
      attach: await act('attach', 'new'),
      detach: await act('detach', 'data'),
      detachBoot: await act('detach', 'boot'),
    }).toEqual(expected)
    await forced(name, 'stopped')
  })
})
