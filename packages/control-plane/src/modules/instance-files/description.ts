import type { CpuPlatformName } from '@gantry/api/compute/cpu-platform.rules'
import type { instanceFileVersion } from '@gantry/api/compute/instance-file.rules'
import type { IpStackType } from '@gantry/api/network/ip-stack.rules'
import type { HardwareChoice, machineHardware } from '@gantry/api/storage/hardware'
import type { z } from 'zod'

/**
 * What the first entry of an archive says of its instance. A later version may add to it. Nothing of it is secret, and
 * nothing refers to another object by its id.
 */
export interface Description {
  format: 'gantry-instance'
  version: typeof instanceFileVersion
  time: string
  name: string
  description: string
  hostname: string
  ncpus: number
  memory: number
  auto_restart_policy: 'never' | 'best_effort' | null
  cpu_platform: CpuPlatformName | null
  /** What was selected for its machines; the rest is what its boot disk says. */
  hardware: z.infer<typeof HardwareChoice> | null
  disks: {
    name: string
    description: string
    /** The entry with its image. */
    file: string
    size: number
    block_size: number
    is_boot: boolean
    read_only: boolean
    /** What machines have that boot from it. */
    hardware: z.infer<z.ZodObject<typeof machineHardware>> | null
  }[]
  network_interfaces: {
    name: string
    description: string
    /** The names of both where it was. */
    vpc: string
    subnet: string
    is_primary: boolean
    ip_stack: IpStackType
  }[]
  tags: Record<string, string>
}
