import type { User } from './stage.ts'

interface Redirect {
  from: string
  to: string
  heading: string
  /** By default the collaborator of the project. */
  who?: User
}

/** Every redirect in the specification's table of pages. */
export const redirects: readonly Redirect[] = [
  { from: '/', to: '/projects', heading: 'Projects' },
  { from: '/settings', to: '/settings/profile', heading: 'Profile' },
  { from: '/images/alpine-3-22/edit', to: '/images/alpine-3-22', heading: 'alpine-3-22' },
  { from: '/projects/:project', to: '/projects/:project/instances', heading: 'Instances' },
  {
    from: '/projects/:project/vpcs/default',
    to: '/projects/:project/vpcs/default/firewall-rules',
    heading: 'default',
  },
  {
    from: '/projects/:project/instances/web',
    to: '/projects/:project/instances/web/storage',
    heading: 'web',
  },
  {
    from: '/projects/:project/instances/web/metrics',
    to: '/projects/:project/instances/web/metrics/cpu',
    heading: 'web',
  },
  { from: '/system/inventory', to: '/system/inventory/sleds', heading: 'Inventory', who: 'admin' },
  {
    from: '/system/inventory/sleds/:sled',
    to: '/system/inventory/sleds/:sled/instances',
    heading: 'Sled GS-001',
    who: 'admin',
  },
  { from: '/system/networking', to: '/system/networking/ip-pools', heading: 'IP Pools', who: 'admin' },
  { from: '/system/silos/forge', to: '/system/silos/forge/idps', heading: 'forge', who: 'admin' },
]
