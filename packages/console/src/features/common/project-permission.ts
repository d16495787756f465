import { useWhyNot } from '#/data/permissions.ts'

/** Why the signed-in person may not change what lies in a project; whoever may create there may change too. */
export const useWhyNotInProject = (project: string): string | undefined =>
  useWhyNot({ action: 'create_child', object: 'project', id: project })
