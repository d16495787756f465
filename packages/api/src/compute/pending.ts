import { z } from 'zod'
import { family, put } from '../op.ts'
import { ByteCount, InProject, maybe, named, NameOrId } from '../schema.ts'
import { HardwareChoice } from '../storage/hardware.ts'
import { CpuCount, Instance } from './instance.ts'

const path = z.object({ instance: NameOrId })

/** What is absent is taken back; what is as it is now needs no change. */
const InstancePendingUpdate = named(
  'InstancePendingUpdate',
  z.object({
    ncpus: maybe(CpuCount),
    memory: maybe(ByteCount),
    boot_disk: maybe(NameOrId),
    hardware: maybe(HardwareChoice),
  }),
)

export const pendingOps = family('extensions', ['instance'], {
  instancePendingUpdate: put('/ext/v1/instances/{instance}/pending', {
    summary: 'Set what changes of an instance with its next start',
    path,
    query: InProject,
    body: InstancePendingUpdate,
    returns: Instance,
  }),
})
