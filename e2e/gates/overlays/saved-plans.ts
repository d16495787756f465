import { fill, press, type Overlays } from './steps.ts'

export const savedPlansOverlays: Overlays = {
  'features/saved-plans/FourEyesDialog.tsx': [['/plans', 'Four eyes', press('Four eyes…')]],
  'kit/plan/ReviewDialog.tsx': [
    [
      '/projects/:project/vpcs/default/firewall-rules/allow-ssh/edit',
      'Review: edit rule',
      fill('Priority', '11'),
      press('Review'),
    ],
  ],
}
