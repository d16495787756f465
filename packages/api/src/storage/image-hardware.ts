import { z } from 'zod'
import { family, put } from '../op.ts'
import { InProject, maybe, named, NameOrId } from '../schema.ts'
import { DiskModel, Firmware, MachineClock, NetworkModel } from './hardware.ts'
import { Image } from './image.ts'

export const imageHardwareOps = family('extensions', ['image'], {
  imageHardwareUpdate: put('/ext/v1/images/{image}/hardware', {
    summary: 'Choose what machines have that boot from disks made of an image from now on',
    path: z.object({ image: NameOrId }),
    query: InProject,
    /** What is absent stays. */
    body: named(
      'ImageHardwareUpdate',
      z.object({
        firmware: maybe(Firmware),
        /** Needs UEFI. */
        secure_boot: maybe(z.boolean()),
        tpm: maybe(z.boolean()),
        disk_model: maybe(DiskModel),
        network_model: maybe(NetworkModel),
        clock: maybe(MachineClock),
      }),
    ),
    returns: Image,
    changes: ['image'],
  }),
})
