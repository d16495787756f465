import { type Overlays, press } from './steps.ts'

export const activityOverlays: Overlays = {
  'features/activity/RevertDialog.tsx': [['/projects/:project/activity', 'Revert', press('Revert…')]],
}
