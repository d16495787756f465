import { inTable, press, type Overlays } from './steps.ts'

const page = '/projects/:project/instances/listener/networking'

export const multicastOverlays: Overlays = {
  'features/multicast/JoinGroupDialog.tsx': [[page, 'Join multicast group', press('Join group')]],
  'features/multicast/MulticastCard.tsx': [
    [page, 'Confirm leave group', inTable('Multicast groups', 'tides', 'Leave group')],
  ],
}
