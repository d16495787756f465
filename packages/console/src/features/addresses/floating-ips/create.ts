import type { InputOf } from '@gantry/api/client/client'
import { ipNotAvailable } from '@gantry/api/floating-ip.rules'
import { ipProblem } from '@gantry/api/ip.rules'
import type { Failure } from '#/data/failure.ts'

export interface FloatingIpValues {
  name: string
  description: string
  /** A name; empty for the default pool. */
  pool: string
  /** Empty for any free address of the pool. */
  ip: string
}

export const emptyFloatingIp: FloatingIpValues = { name: '', description: '', pool: '', ip: '' }

export const ipFieldProblem = (ip: string): string | undefined => ipProblem(ip.trim())

/** What is sent for what the form shows. */
export function floatingIpBody(values: FloatingIpValues): InputOf<'floatingIpCreate'>['body'] {
  const { name, description, pool, ip } = values
  return { name, description, ...(pool && { pool }), ...(ip.trim() && { ip: ip.trim() }) }
}

/** Where a refusal belongs: to the name, to the address, or to the pool that has none or is not there any more. */
export function fieldOf({
  errorCode,
  message,
}: Pick<Failure, 'errorCode' | 'message'>): 'name' | 'pool' | 'ip' | undefined {
  if (errorCode === 'ObjectAlreadyExists') return 'name'
  if (message === ipNotAvailable) return 'ip'
  if (errorCode === 'InsufficientCapacity') return 'pool'
  return errorCode === 'ObjectNotFound' && /\bip[- ]pool\b/i.test(message) ? 'pool' : undefined
}
