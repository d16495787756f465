import { fill, inRow, press, type Overlays } from './steps.ts'

export const backupTargetsOverlays: Overlays = {
  'features/backup-targets/NewTarget.tsx': [
    ['/system/backup-targets-new', 'Create backup target'],
    [
      '/system/backup-targets-new',
      /^Backup target .* is ready$/,
      (page) => fill('Name', `t-${Date.now().toString(36)}`)(page),
      (page) => fill('Folder', `f-${Date.now().toString(36)}`)(page),
      press('Create backup target'),
    ],
  ],
  'features/backup-targets/parts.tsx': [
    ['/system/backup-targets', 'Confirm delete backup target', inRow('shelf', 'Delete')],
  ],
  'features/backup-targets/AdoptDialog.tsx': [
    [
      '/system/backup-targets/left',
      'Adopt backups',
      (page) =>
        page
          .getByRole('checkbox', { name: /^Select / })
          .first()
          .check(),
      press('Adopt'),
    ],
  ],
  'routes/_console/system/backup-targets/$target/edit.tsx': [
    ['/system/backup-targets/shelf/edit', 'Edit backup target'],
  ],
}
