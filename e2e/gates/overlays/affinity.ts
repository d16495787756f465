import { inMenu, inRow, press, sleeper, type Overlays } from './steps.ts'

export const affinityOverlays: Overlays = {
  'features/affinity/AddDialogs.tsx': [
    ['/projects/:project/affinity/apart', 'Add instance to group', press('Add instance')],
    ['/projects/:project/affinity-groups/together', 'Add instance to group', press('Add instance')],
    [`${sleeper}/settings`, 'Add to anti-affinity group', press('Add to group')],
    [`${sleeper}/settings`, 'Add to affinity group', press('Add to affinity group')],
  ],
  'features/affinity/EditGroupForm.tsx': [
    ['/projects/:project/affinity/apart/edit', 'Edit anti-affinity group'],
    ['/projects/:project/affinity-groups/together/edit', 'Edit affinity group'],
  ],
  'features/affinity/MembersCard.tsx': [
    [
      '/projects/:project/affinity/apart',
      'Remove instance from anti-affinity group',
      inRow('walker', 'Remove from group'),
    ],
    [
      '/projects/:project/affinity-groups/together',
      'Remove instance from affinity group',
      inRow('sleeper', 'Remove from group'),
    ],
  ],
  'features/affinity/NewGroupForm.tsx': [
    ['/projects/:project/affinity-new', 'Add anti-affinity group'],
    ['/projects/:project/affinity-groups-new', 'Add affinity group'],
  ],
  'features/affinity/parts.tsx': [
    ['/projects/:project/affinity/apart', /^Confirm delete/, inMenu('Anti-affinity group actions', 'Delete')],
    ['/projects/:project/affinity', /^Confirm delete/, inRow('apart', 'Delete')],
    ['/projects/:project/affinity-groups', /^Confirm delete/, inRow('together', 'Delete')],
  ],
}
