import type { Area } from './area.ts'

export const activity: Area = {
  name: 'activity',
  screens: [
    ['activity of a project', '/projects/:project/activity', true, ['link', 'walker']],
    [
      'activity of a project, none found',
      '/projects/:project/activity?search=never-was',
      true,
      ['heading', 'Nothing matches'],
    ],
    ['instance, activity', '/projects/:project/instances/walker/activity', true, ['heading', 'Today']],
    ['a list at a moment, to choose', '/projects/:project/past?kind=instance', true, ['button', 'Show']],
    [
      'a list at a moment, before the records',
      '/projects/:project/past?kind=disk&at=2020-01-01T00:00:00.000Z',
      true,
      ['link', 'Back to now'],
    ],
    ['VPC, activity', '/projects/:project/vpcs/default/activity', true, ['heading', 'Today']],
    [
      'router, activity',
      '/projects/:project/vpcs/default/routers/system?tab=activity',
      true,
      ['heading', 'system'],
    ],
    ['IP pool, activity', '/system/networking/ip-pools/external?tab=activity', true, ['heading', 'external']],
    ['silo, activity', '/system/silos/demo/activity', true, ['heading', 'demo']],
    ['sled, activity', '/system/inventory/sleds/:sled/activity', true, ['heading', 'Sled GS-001']],
    [
      'affinity group, activity',
      '/projects/:project/affinity/apart?tab=activity',
      true,
      ['heading', 'Today'],
    ],
    [
      'saved query, activity',
      '/projects/:project/saved-queries/walkers-cpu?tab=activity',
      true,
      ['heading', 'Today'],
    ],
    [
      'system saved query, activity',
      '/system/saved-queries/hot-sleds?tab=activity',
      true,
      ['heading', 'hot-sleds'],
    ],
    ['alert receiver, activity', '/system/alerts/pager?tab=activity', true, ['heading', 'pager']],
    [
      'port settings, activity',
      '/system/networking/port-settings/uplink?tab=activity',
      true,
      ['heading', 'uplink'],
    ],
    [
      'address lot, activity',
      '/system/networking/address-lots/uplinks?tab=activity',
      true,
      ['heading', 'uplinks'],
    ],
    [
      'support bundle, activity',
      '/system/support-bundles/:bundle?tab=activity',
      true,
      ['tabpanel', 'Activity'],
    ],
    ['activity of the silo', '/activity', true, ['heading', 'Today']],
    ['my activity', '/settings/activity', true, ['heading', 'My activity']],
    ['notifications', '/settings/notifications', true, ['checkbox', 'My task failed']],
    ['activity of the fleet', '/system/activity', true, ['heading', 'Activity']],
  ],
}
