import type { LinkTarget } from '#/features/common/link-target.ts'

type InstanceTab =
  | 'storage'
  | 'networking'
  | 'metrics'
  | `metrics/${MetricsTab}`
  | 'connect'
  | 'settings'
  | 'serial-console'

export type MetricsTab = 'cpu' | 'disk' | 'network'

export const instanceLink = (project: string, instance: string, tab: InstanceTab = 'storage') =>
  ({
    to: `/projects/$project/instances/$instance/${tab}` as const,
    params: { project, instance },
  }) satisfies LinkTarget

/** The page of an instance in a fleet-wide list. Only instances of the user's own silo have one. */
export const instanceLinkIn = (
  ownSilo: string,
  { name, projectName, siloName }: { name: string; projectName: string | null; siloName: string | null },
) => (siloName === ownSilo && projectName !== null ? instanceLink(projectName, name) : undefined)
