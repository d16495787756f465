import { useWhyNot } from '#/data/permissions.ts'

/**
 * Why the signed-in user may not change resources of a project. Permission to create there includes permission to
 * change.
 */
export const useWhyNotInProject = (project: string): string | undefined =>
  useWhyNot({ action: 'create_child', object: 'project', id: project })
