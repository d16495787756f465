import { type Overlays } from './steps.ts'

export const supportBundlesOverlays: Overlays = {
  'features/support-bundles/parts.tsx': [
    [
      '/system/support-bundles/:bundle',
      'Confirm delete support bundle',
      async (page) => {
        await page.getByRole('button', { name: 'Support bundle actions' }).click()
        await page.getByRole('menuitem', { name: 'Delete', exact: true }).click()
      },
    ],
  ],
  'routes/_console/system/_support-bundles/support-bundles-new.tsx': [
    ['/system/support-bundles-new', 'Create support bundle'],
  ],
  'routes/_console/system/support-bundles/$bundle/edit.tsx': [
    ['/system/support-bundles/:bundle/edit', 'Edit support bundle'],
  ],
}
