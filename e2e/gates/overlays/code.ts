import { fill, follow, inMenu, type Overlays, press, sleeper, type Step } from './steps.ts'

/** Records that a disk is created, and shows it. */
const recorded: readonly Step[] = [
  inMenu('User menu', 'Record session'),
  follow('New disk'),
  fill('Name', 'recorded'),
  press('Create disk'),
  press('Stop recording'),
]

export const codeOverlays: Overlays = {
  'features/activity/OwnRequestsDialog.tsx': [
    ['/projects/:project/activity', /^Your activity/, inMenu('Export', 'What you did, as a script…')],
    [
      '/projects/:project/activity',
      /^Your activity/,
      inMenu('Export', 'Select what you did…'),
      press('Select all of yours on this page'),
      press('As a script or plan…'),
    ],
  ],
  'kit/code/CodeDialog.tsx': [
    ['/projects/:project/disks', /^Recorded: /, ...recorded],
    ['/projects/:project/disks-new', 'As code: create disk', fill('Name', 'coded'), press('Show as code')],
    [sleeper, /^As code: /, inMenu('Instance actions', 'Show as code')],
    ['/projects/:project/snapshots', 'As code: list', inMenu('Export', 'Show as code')],
  ],
}
