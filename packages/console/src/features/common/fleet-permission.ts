import { useWhyNot } from '#/data/permissions.ts'

/** Why the signed-in user may not change fleet-wide objects. */
export const useWhyNotOnFleet = (): string | undefined => useWhyNot({ action: 'modify', object: 'fleet' })
