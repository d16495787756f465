import type { LinkTarget } from '#/kit/links/link-target.ts'

export const externalSubnetLink = (project: string, externalSubnet: string) =>
  ({
    to: '/projects/$project/external-subnets/$externalSubnet',
    params: { project, externalSubnet },
  }) satisfies LinkTarget
