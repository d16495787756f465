import { inRow, press, sleeper, type Overlays, type Step, tick } from './steps.ts'

/** Starts an upload whose last parts fail. */
const upload: Step = async (page) => {
  let pieces = 0
  await page.route('**/content?*', (route) => (++pieces > 2 ? undefined : route.continue()))
  await page.getByLabel('Name', { exact: true }).fill(`u-${Date.now().toString(36)}`)
  await page.getByLabel('OS', { exact: true }).fill('Plan 9')
  await page.getByLabel('Version').fill('4')
  const buffer = Buffer.alloc(24 * 1024 ** 2, 7)
  await page
    .getByLabel('Image file')
    .setInputFiles({ name: 'disk.raw', mimeType: 'application/octet-stream', buffer })
  await page.getByRole('button', { name: 'Upload image' }).click()
  await page.getByRole('dialog', { name: 'Image upload progress' }).waitFor()
}

export const storageOverlays: Overlays = {
  'features/disks/AttachDiskDialog.tsx': [
    [`${sleeper}/storage`, 'Attach disk', press('Attach existing disk')],
    ['/projects/:project/instances-new', 'Attach disk', press('Attach existing disk')],
  ],
  'features/disks/DiskForm.tsx': [
    [`${sleeper}/storage`, 'Create disk', press('Create disk')],
    ['/projects/:project/instances-new', 'Create disk', press('Create new disk')],
    ['/projects/:project/disks-new', 'Create disk'],
  ],
  'features/instances/snapshots/TakeDialog.tsx': [
    [`${sleeper}/snapshots`, 'Take snapshot', press('Take snapshot')],
  ],
  'features/instances/snapshots/RestoreDialog.tsx': [
    [`${sleeper}/snapshots`, 'Restore instance', inRow('resting', 'Restore')],
  ],
  'features/instances/snapshots/NotYet.tsx': [
    ['/projects/:project/instances/walker/snapshots', 'Restore instance', inRow('whole', 'Restore')],
  ],
  'features/instances/snapshots/NewInstanceDialog.tsx': [
    [`${sleeper}/snapshots`, 'Create instance from snapshot', inRow('resting', 'Create instance')],
  ],
  'features/instances/snapshots/EditInstanceSnapshot.tsx': [
    [`${sleeper}/snapshots`, 'Edit instance snapshot', inRow('resting', 'Edit')],
  ],
  'features/instances/snapshots/parts.tsx': [
    [`${sleeper}/snapshots`, 'Confirm delete instance snapshot', inRow('resting', 'Delete')],
  ],
  'features/backups/BackUpDialog.tsx': [
    [`${sleeper}/backups`, 'Back up instance', press('Back up')],
    ['/projects/:project/backups', 'Back up instance', press('Back up instance')],
  ],
  'features/backups/RestoreBackup.tsx': [
    ['/projects/:project/backups', 'Restore backup', inRow('kept', 'Restore')],
  ],
  'features/backups/BackupPanel.tsx': [['/projects/:project/backups/kept', 'kept']],
  'features/backups/parts.tsx': [
    ['/projects/:project/backups', 'Confirm delete backup', inRow('kept', 'Delete')],
  ],
  'features/schedules/ScheduleForms.tsx': [
    ['/projects/:project/schedules-new', 'Create schedule'],
    ['/projects/:project/schedules/nightly/edit', 'Edit schedule'],
  ],
  'features/schedules/use-schedule-actions.tsx': [
    ['/projects/:project/schedules', 'Confirm delete schedule', inRow('nightly', 'Delete')],
  ],
  'features/found-list/SelectedBar.tsx': [
    ['/projects/:project/disks', 'Confirm delete 1 disk', tick('spare'), press('Delete')],
  ],
  'features/disks/ImageOfDisk.tsx': [
    ['/projects/:project/disks', 'Create image', inRow('spare', 'Create image')],
  ],
  'features/disks/GrowDisk.tsx': [['/projects/:project/disks', 'Grow disk', inRow('spare', 'Grow')]],
  'features/disks/EditDisk.tsx': [['/projects/:project/disks', 'Edit disk', inRow('spare', 'Edit')]],
  'features/disks/use-disk-row-actions.tsx': [
    ['/projects/:project/disks', 'Confirm delete disk', inRow('spare', 'Delete')],
  ],
  'features/images/delete-action.ts': [
    ['/projects/:project/images', 'Confirm delete image', inRow('own', 'Delete')],
    ['/images', 'Confirm delete image', inRow('alpine-3-22', 'Delete')],
  ],
  'features/images/HardwareDialog.tsx': [
    ['/projects/:project/images', 'Change hardware', inRow('own', 'Change hardware')],
    ['/images', 'Change hardware', inRow('alpine-3-22', 'Change hardware')],
  ],
  'features/images/MoveDialogs.tsx': [
    ['/projects/:project/images', 'Promote image', inRow('own', 'Promote')],
    ['/images', 'Promote image', press('Promote image')],
    ['/images', 'Demote image', inRow('alpine-3-22', 'Demote')],
  ],
  'features/images/upload/UnfinishedUpload.tsx': [
    ['/projects/:project/images', 'Discard upload', press('Discard')],
  ],
  'features/images/upload/UploadDialog.tsx': [
    ['/projects/:project/images-new', 'Image upload progress', upload],
    ['/projects/:project/images-new', 'Cancel upload', upload, press('Cancel')],
  ],
  'routes/_console/projects/$project/_images/images-new.tsx': [
    ['/projects/:project/images-new', 'Upload image'],
  ],
  'features/snapshots/parts.tsx': [
    ['/projects/:project/snapshots', 'Confirm delete snapshot', inRow('kept', 'Delete')],
  ],
  'routes/_console/projects/$project/_snapshots/snapshots-new.tsx': [
    ['/projects/:project/snapshots-new', 'Create snapshot'],
  ],
  'routes/_console/projects/$project/_snapshots/snapshots.$snapshot.images-new.tsx': [
    ['/projects/:project/snapshots/kept/images-new', 'Create image from snapshot'],
  ],
}
