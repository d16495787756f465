import { z } from 'zod'
import { IpVersion } from '../base/ip.ts'
import { maybe, named, NameOrId } from '../schema.ts'

/** Which pool an address comes from: the named one, or the silo's default one of the version, if one is given. */
export const PoolSelector = named(
  'PoolSelector',
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('explicit'), pool: NameOrId }),
    z.object({ type: z.literal('auto'), ip_version: maybe(IpVersion) }),
  ]),
)
export type PoolSelector = z.infer<typeof PoolSelector>

/** The silo's default pool, of whichever version it has one. */
export const anyPool: PoolSelector = { type: 'auto' }
