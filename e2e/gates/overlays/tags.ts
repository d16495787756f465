import { press, type Overlays } from './steps.ts'

export const tagsOverlays: Overlays = {
  'features/tags/TagDemandDialog.tsx': [['/tags', 'Required tags', press('Required tags…')]],
}
