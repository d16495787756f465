import { inMenu, type Overlays, press } from './steps.ts'

const lostSled = 'More actions for: Sled GS-010 is unreachable, and its instances failed.'

export const systemOverlays: Overlays = {
  'features/audit/RecordPanel.tsx': [['/system/audit-log?record=:record', /./]],
  'features/system/AcknowledgeDialog.tsx': [
    ['/system', 'Acknowledge issue', inMenu(lostSled, 'Acknowledge')],
  ],
  'features/system/use-issue-actions.tsx': [['/system', 'Mark sled as back', press('Mark sled as back…')]],
  'routes/_console/system/_built-in-users/built-in-users.$user.tsx': [
    ['/system/built-in-users/db-init', 'Built-in user'],
  ],
}
