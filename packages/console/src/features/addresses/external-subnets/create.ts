import type { InputOf } from '@gantry/api/client/client'
import { blockProblem } from '@gantry/api/network/subnet-pool.rules'
import type { Failure } from '#/data/failure.ts'

export interface ExternalSubnetValues {
  name: string
  description: string
  /** How the block is selected: any of a size, or a specific one. */
  by: 'size' | 'block'
  prefixLength: number | null
  /** Name of the pool; empty for the default one. */
  pool: string
  subnet: string
}

export const emptyExternalSubnet: ExternalSubnetValues = {
  name: '',
  description: '',
  by: 'size',
  prefixLength: 28,
  pool: '',
  subnet: '',
}

export const subnetFieldProblem = (subnet: string): string | undefined => blockProblem(subnet.trim())

/** The request body for the form's values. */
export function externalSubnetBody(values: ExternalSubnetValues): InputOf<'externalSubnetCreate'>['body'] {
  const { name, description, by, prefixLength, pool, subnet } = values
  return {
    name,
    description,
    allocator:
      by === 'block'
        ? { type: 'explicit', subnet: subnet.trim() }
        : {
            type: 'auto',
            prefixLength: prefixLength ?? 0,
            ...(pool && { poolSelector: { type: 'explicit', pool } }),
          },
  }
}

/** The field that a refusal of these values concerns. */
export function fieldOf(
  { errorCode, message }: Pick<Failure, 'errorCode' | 'message'>,
  { by }: Pick<ExternalSubnetValues, 'by'>,
): 'name' | 'pool' | 'prefixLength' | 'subnet' | undefined {
  if (errorCode === 'ObjectAlreadyExists') return 'name'
  if (errorCode === 'ObjectNotFound') return /\bsubnet-pool\b/.test(message) ? 'pool' : undefined
  if (errorCode !== 'InvalidRequest') return undefined
  if (by === 'block') return 'subnet'
  if (/with prefix length/.test(message)) return 'prefixLength'
  return /\bdefault subnet pool\b/.test(message) ? 'pool' : undefined
}
