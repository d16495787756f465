import { useWhyNotOnFleet } from '#/features/common/fleet-permission.ts'
import { useWhyNotInProject } from '#/features/common/project-permission.ts'

/** Why the signed-in user may not change probes, which takes a role on the fleet and one in the project. */
export function useWhyNotProbes(project: string): string | undefined {
  const onFleet = useWhyNotOnFleet()
  const inProject = useWhyNotInProject(project)
  return inProject ?? onFleet
}
