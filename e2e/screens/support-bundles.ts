import type { Area } from './area.ts'

export const supportBundles: Area = {
  name: 'support bundles',
  forFleetViewers: true,
  screens: [
    ['support bundles', '/system/support-bundles', true, ['heading', 'Support bundles']],
    ['new support bundle', '/system/support-bundles-new', true, ['button', 'Create support bundle']],
    ['support bundle', '/system/support-bundles/:bundle', true, ['button', 'versions.json']],
    [
      'edit support bundle',
      '/system/support-bundles/:bundle/edit',
      true,
      ['button', 'Update support bundle'],
    ],
  ],
}
