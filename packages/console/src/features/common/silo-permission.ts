import { useWhyNot } from '#/data/permissions.ts'

/** Why the signed-in user may not change silo-wide resources. Permission to create projects includes it. */
export const useWhyNotInSilo = (): string | undefined => useWhyNot({ action: 'create_child', object: 'silo' })
