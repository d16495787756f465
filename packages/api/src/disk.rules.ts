import { GiB } from './bytes.rules.ts'

/** States in which each action is accepted: the server refuses by it, the console disables by it. */
export const diskAllows = {
  delete: ['detached', 'faulted'],
  snapshot: ['attached', 'detached'],
  attach: ['creating', 'detached'], // creating: one call can make an instance together with its disk
  detach: ['attached'],
  setAsBootDisk: ['attached'],
} as const

export const blockSizes = [512, 2048, 4096] as const
export const diskMinSize = 1 * GiB
export const diskMaxSize = 1023 * GiB

/** What is wrong with the size of a new disk, as the API words it, in the API's order. */
export function diskSizeProblem(
  size: number,
  blockSize: number,
): { label: string; reason: string } | undefined {
  if (size % blockSize !== 0)
    return {
      label: 'size and block_size',
      reason: `total size must be a multiple of block size ${blockSize}`,
    }
  if (size < diskMinSize) return { label: 'size', reason: 'total size must be at least 1 GiB' }
  if (size % GiB !== 0) return { label: 'size', reason: 'total size must be a multiple of 1 GiB' }
  if (size > diskMaxSize) return { label: 'size', reason: 'total size must be less than 1023 GiB' }
  return undefined
}
