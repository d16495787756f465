import { test as base } from 'vitest'
import { testControlPlane } from './control-plane.ts'

/** Tests of a file that share a control plane, and its users as they are asked for. */
export const test = base
  // oxlint-disable-next-line no-empty-pattern -- Vitest reads the parameter's shape
  .extend('bed', { scope: 'file' }, async ({}, { onCleanup }) => {
    const bed = await testControlPlane()
    onCleanup(bed.stop)
    return bed
  })
  /** Admin of the fleet and of the silo. */
  .extend('operator', { scope: 'file' }, ({ bed }) => bed.signIn('admin'))
  .extend('member', { scope: 'file' }, ({ bed }) => bed.signIn('member'))
  .extend('viewer', { scope: 'file' }, ({ bed }) => bed.signIn('viewer'))
