import { useWhyNot } from '#/data/permissions.ts'

/** Why the signed-in user may not change what belongs to the fleet. */
export const useWhyNotOnFleet = (): string | undefined => useWhyNot({ action: 'modify', object: 'fleet' })
