import { scenesIn } from '../support/scenes.ts'
import type { Area } from './area.ts'

export const backupTargets: Area = {
  name: 'backup targets',
  forFleetViewers: true,
  screens: [
    ['backup targets', '/system/backup-targets', true, ['link', 'shelf']],
    ['new backup target', '/system/backup-targets-new', true, ['button', 'Create backup target']],
    ['backup target', '/system/backup-targets/shelf', true, ['heading', 'Contents']],
    ['edit backup target', '/system/backup-targets/shelf/edit', true, ['button', 'Update backup target']],
  ],
  furnish: ({ api, project }) => scenesIn(api, project).backupTarget(),
}
