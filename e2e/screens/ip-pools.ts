import type { Area } from './area.ts'

export const ipPools: Area = {
  name: 'IP pools',
  forFleetViewers: true,
  screens: [
    ['IP pools', '/system/networking/ip-pools', true, ['link', 'external']],
    ['new IP pool', '/system/networking/ip-pools-new', true, ['button', 'Create IP pool']],
    ['IP pool', '/system/networking/ip-pools/external', true, ['link', 'Add range']],
    ['edit IP pool', '/system/networking/ip-pools/external/edit', true, ['button', 'Update IP pool']],
    ['add IP range', '/system/networking/ip-pools/external/ranges-add', true, ['button', 'Add IP range']],
    [
      'IP pool, linked silos',
      '/system/networking/ip-pools/external?tab=silos',
      true,
      ['button', 'Link silo'],
    ],
    [
      'IP pool, addresses',
      '/system/networking/ip-pools/external?tab=addresses',
      true,
      ['tabpanel', 'Addresses'],
    ],
  ],
}
