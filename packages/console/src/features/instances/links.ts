import type { LinkTarget } from '#/kit/links/link-target.ts'

type InstanceTab =
  | 'storage'
  | 'networking'
  | 'snapshots'
  | 'backups'
  | 'connect'
  | 'activity'
  | 'settings'
  | 'screen'
  | 'serial-console'

export const instanceLink = (project: string, instance: string, tab: InstanceTab = 'storage') =>
  ({
    to: `/projects/$project/instances/$instance/${tab}` as const,
    params: { project, instance },
  }) satisfies LinkTarget

const metricsTabs = ['cpu', 'disk', 'network'] as const
export type MetricsTab = (typeof metricsTabs)[number]

export const metricsTabOf = (word: string | undefined): MetricsTab | undefined =>
  metricsTabs.find((tab) => tab === word)

/** Without a tab, the link leads to the first. */
export const metricsLink = (project: string, instance: string, tab?: MetricsTab) =>
  ({
    to: '/projects/$project/instances/$instance/metrics/{-$tab}',
    params: { project, instance, tab },
  }) satisfies LinkTarget

/** The page of an instance in a fleet-wide list. Only instances of the user's own silo have one. */
export const instanceLinkIn = (
  ownSilo: string,
  { name, projectName, siloName }: { name: string; projectName: string | null; siloName: string | null },
) => (siloName === ownSilo && projectName !== null ? instanceLink(projectName, name) : undefined)
