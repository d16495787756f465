import { z } from 'zod'
import { Timestamp } from '../schema.ts'
import { u16 } from '../base/uint.ts'

const times = { time_created: Timestamp, time_modified: Timestamp }

/** Fields that the later edition adds to responses, by component. */
export const laterFields = {
  CurrentUser: z.object(times),
  Disk: z.object({
    disk_type: z.enum(['distributed', 'local']),
    read_only: z.boolean(),
  }),
  Group: z.object(times),
  /** Counts of addresses, which lose precision beyond 2^53. */
  IpPoolUtilization: z.object({
    capacity: z.number().meta({ format: 'double' }),
    remaining: z.number().meta({ format: 'double' }),
  }),
  Sled: z.object({ slot: u16.nullish() }),
  User: z.object(times),
} as const
export type LaterFields = { [Name in keyof typeof laterFields]: z.infer<(typeof laterFields)[Name]> }
