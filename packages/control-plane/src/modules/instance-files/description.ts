import { instanceFileVersion } from '@gantry/api/compute/instance-file.rules'
import { cpuPlatforms } from '@gantry/api/compute/cpu-platform.rules'
import { instanceLimits } from '@gantry/api/compute/instance.rules'
import { ipStackTypes } from '@gantry/api/network/ip-stack.rules'
import { HardwareChoice, machineHardware } from '@gantry/api/storage/hardware'
import { z } from 'zod'

const name = z.string().max(63)
const text = z.string().max(512)
const count = z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER)

/**
 * What the first entry of an archive says of its instance. A later version may add to it; what an older one does not
 * know, it does not read. Nothing of it is secret, and nothing refers to another object by its id.
 */
export const Description = z.object({
  format: z.literal('gantry-instance'),
  version: z.literal(instanceFileVersion),
  time: z.string().max(40),
  name,
  description: text,
  hostname: name,
  ncpus: count,
  memory: count,
  auto_restart_policy: z.enum(['never', 'best_effort']).nullable(),
  cpu_platform: z.enum(cpuPlatforms).nullable(),
  /** What was selected for its machines; the rest is what its boot disk says. */
  hardware: HardwareChoice.nullable(),
  disks: z
    .array(
      z.object({
        name,
        description: text,
        /** The entry with its image. */
        file: z.string().max(100),
        size: count,
        block_size: count,
        is_boot: z.boolean(),
        read_only: z.boolean(),
        /** What machines have that boot from it. */
        hardware: z.object(machineHardware).nullable(),
      }),
    )
    .min(1)
    .max(instanceLimits.disks),
  network_interfaces: z
    .array(
      z.object({
        name,
        description: text,
        /** The names of both where it was. */
        vpc: name,
        subnet: name,
        is_primary: z.boolean(),
        ip_stack: z.enum(ipStackTypes),
      }),
    )
    .max(instanceLimits.networkInterfaces),
  tags: z.record(z.string().max(128), z.string().max(256)),
})
export type Description = z.infer<typeof Description>

/** What the description in a file says, whatever its form. */
export interface Described {
  description: Description
  /** The entry with the image of each disk; undefined for an empty disk. */
  files: (string | undefined)[]
  /** What cannot be kept, in sentences. */
  losses: string[]
}
