import type { LinkTarget } from '#/kit/links/link-target.ts'

export const floatingIpLink = (project: string, floatingIp: string) =>
  ({
    to: '/projects/$project/floating-ips/$floatingIp',
    params: { project, floatingIp },
  }) satisfies LinkTarget

export const floatingIpFormLink = (project: string, floatingIp: string) =>
  ({
    to: '/projects/$project/floating-ips/$floatingIp/edit',
    params: { project, floatingIp },
  }) satisfies LinkTarget
