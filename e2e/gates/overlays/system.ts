import { type Overlays } from './steps.ts'

export const systemOverlays: Overlays = {
  'features/audit/RecordPanel.tsx': [['/system/audit-log?record=:record', /./]],
  'routes/_console/system/_built-in-users/built-in-users.$user.tsx': [
    ['/system/built-in-users/db-init', 'Built-in user'],
  ],
}
