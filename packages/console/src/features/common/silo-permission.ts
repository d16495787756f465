import { useWhyNot } from '#/data/permissions.ts'

/** Why the signed-in person may not change what all projects share; whoever may make projects may do that too. */
export const useWhyNotInSilo = (): string | undefined => useWhyNot({ action: 'create_child', object: 'silo' })
