import { z } from 'zod'
import { family, get, put } from '../op.ts'
import { InProject, list, maybe, named, NameOrId, Uuid } from '../schema.ts'
import { CdKind, HardwareChoice, machineHardware } from '../storage/hardware.ts'
import { cdDrives } from '../storage/cd.rules.ts'

const path = z.object({ instance: NameOrId })
const query = InProject

/** What the machines of an instance have besides disks and interfaces, and what they boot from. */
const InstanceHardware = named(
  'InstanceHardware',
  z.object({
    ...machineHardware,
    /** What of it was selected for the instance; the rest is that of its boot disk. */
    chosen: HardwareChoice,
    /** What is in each of its CD drives; null in an empty one. */
    cds: z.array(
      named(
        'InstanceCd',
        z.object({
          image_id: Uuid,
          /** Null if the caller may not see the image. */
          name: z.string().nullable(),
          /** Null where the bytes of the image were not read. */
          kind: CdKind.nullable(),
        }),
      ).nullable(),
    ),
    /** The disk that it boots from, if it has any. */
    boot_disk: named('InstanceBootDisk', z.object({ id: Uuid, name: z.string() })).nullable(),
  }),
)
export type InstanceHardware = z.infer<typeof InstanceHardware>

export const instanceHardwareOps = family('extensions', ['instance'], {
  instanceHardwareView: get('/ext/v1/instances/{instance}/hardware', {
    summary: 'Fetch firmware, devices and CDs of an instance',
    path,
    query,
    returns: InstanceHardware,
    reads: ['instance', 'disk', 'image'],
  }),
  instanceHardwareUpdate: put('/ext/v1/instances/{instance}/hardware', {
    summary: 'Choose firmware and devices of an instance, from its next start on',
    path,
    query,
    body: named(
      'InstanceHardwareUpdate',
      z.object({
        /** All that is selected: what is absent is what the boot disk says. */
        chosen: maybe(HardwareChoice),
      }),
    ),
    returns: InstanceHardware,
    changes: ['instance'],
  }),
  instanceCdsUpdate: put('/ext/v1/instances/{instance}/cds', {
    summary: 'Insert, change or eject the CDs of an instance, also while it runs',
    path,
    query,
    body: named(
      'InstanceCdsUpdate',
      z.object({
        /** The image for each drive: null, or nothing, for an empty one. A name is that of an image of the project. */
        cds: maybe(list(NameOrId.nullable(), cdDrives)),
      }),
    ),
    returns: InstanceHardware,
    changes: ['instance'],
  }),
})
