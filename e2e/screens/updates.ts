import type { Area } from './area.ts'

export const updates: Area = {
  name: 'updates',
  screens: [
    ['system update', '/system/update', true, ['heading', 'System Update']],
    ['upload release', '/system/update-upload', true, ['button', 'Upload release']],
    ['add trust root', '/system/update-trust-roots-new', true, ['button', 'Add trust root']],
  ],
}
