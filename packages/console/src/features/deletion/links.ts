// @chunk plates: of pages of single objects, as their links to the plan of a deletion.
import { diskLink } from '#/features/disks/links.ts'
import { instanceSnapshotLink } from '#/features/instances/snapshots/links.ts'
import { projectImageLink } from '#/features/images/links.ts'
import { snapshotLink } from '#/features/snapshots/links.ts'
import type { LinkTarget } from '#/kit/links/link-target.ts'

/** Where to settle what is in the way in a project. */
export const linkInProject =
  (project: string) =>
  (kind: string, name: string): LinkTarget | undefined => {
    switch (kind) {
      case 'instance':
        return { to: '/projects/$project/instances/$instance/storage', params: { project, instance: name } }
      case 'disk':
        return diskLink(project, name)
      case 'snapshot':
        return snapshotLink(project, name)
      case 'instance-snapshot':
        return instanceSnapshotLink(project, name)
      case 'image':
        return projectImageLink(project, name)
      case 'image-upload':
        return { to: '/projects/$project/images', params: { project } }
      case 'floating-ip':
        return {
          to: '/projects/$project/floating-ips/$floatingIp',
          params: { project, floatingIp: name },
        }
      case 'external-subnet':
        return {
          to: '/projects/$project/external-subnets/$externalSubnet',
          params: { project, externalSubnet: name },
        }
      case 'vpc':
        return { to: '/projects/$project/vpcs/$vpc/subnets', params: { project, vpc: name } }
      default:
        return undefined
    }
  }
