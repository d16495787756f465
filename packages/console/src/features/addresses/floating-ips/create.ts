import type { InputOf } from '@gantry/api/client/client'
import { ipNotAvailable } from '@gantry/api/network/floating-ip.rules'
import { ipProblem } from '@gantry/api/base/ip.rules'
import type { Failure } from '#/data/failure.ts'
import { fromPool } from '#/features/ip-pools/pool-selector.ts'

export interface FloatingIpValues {
  name: string
  description: string
  /** Name of the pool; empty for the default one. */
  pool: string
  /** Empty for any free address of the pool. */
  ip: string
}

export const emptyFloatingIp: FloatingIpValues = { name: '', description: '', pool: '', ip: '' }

export const ipFieldProblem = (ip: string): string | undefined => ipProblem(ip.trim())

/** The request body for the form's values. */
export function floatingIpBody(values: FloatingIpValues): InputOf<'floatingIpCreate'>['body'] {
  const { name, description, pool, ip } = values
  const asked = ip.trim()
  const named = asked ? { type: 'explicit' as const, ip: asked, ...(pool && { pool }) } : undefined
  return { name, description, addressAllocator: named ?? { type: 'auto' as const, ...fromPool(pool) } }
}

/** The field a refusal concerns: the name, the address, or a pool that is exhausted or deleted. */
export function fieldOf({
  errorCode,
  message,
}: Pick<Failure, 'errorCode' | 'message'>): 'name' | 'pool' | 'ip' | undefined {
  if (errorCode === 'ObjectAlreadyExists') return 'name'
  if (message === ipNotAvailable) return 'ip'
  if (errorCode === 'InsufficientCapacity') return 'pool'
  return errorCode === 'ObjectNotFound' && /\bip[- ]pool\b/i.test(message) ? 'pool' : undefined
}
