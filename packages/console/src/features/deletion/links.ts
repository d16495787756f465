// @chunk deletion-links: of pages that lead to a plan of a deletion.
import type { LinkTarget } from '#/kit/links/link-target.ts'

/** Where to settle what is in the way in a project. */
export const linkInProject =
  (project: string) =>
  (kind: string, name: string): LinkTarget | undefined => {
    switch (kind) {
      case 'instance':
        return { to: '/projects/$project/instances/$instance/storage', params: { project, instance: name } }
      case 'disk':
        return { to: '/projects/$project/disks', params: { project } }
      case 'snapshot':
        return { to: '/projects/$project/snapshots', params: { project } }
      case 'image':
      case 'image-upload':
        return { to: '/projects/$project/images', params: { project } }
      case 'floating-ip':
        return { to: '/projects/$project/floating-ips', params: { project } }
      case 'vpc':
        return { to: '/projects/$project/vpcs/$vpc/subnets', params: { project, vpc: name } }
      default:
        return undefined
    }
  }
