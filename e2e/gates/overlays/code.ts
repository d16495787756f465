import { fill, inMenu, type Overlays, press, sleeper } from './steps.ts'

export const codeOverlays: Overlays = {
  'kit/code/ShowCode.tsx': [
    ['/projects/:project/disks-new', 'As code: create disk', fill('Name', 'coded'), press('Show as code')],
    [sleeper, /^As code: /, inMenu('Instance actions', 'Show as code')],
    ['/projects/:project/snapshots', 'As code: list', inMenu('Export', 'Show as code')],
  ],
}
