import type { Area } from './area.ts'

export const alerts: Area = {
  name: 'alerts',
  forFleetViewers: true,
  screens: [
    ['system saved queries', '/system/saved-queries', true, ['link', 'hot-sleds']],
    ['new system saved query', '/system/saved-queries-new', true, ['button', 'Create saved query']],
    ['system saved query', '/system/saved-queries/hot-sleds', true, ['heading', 'History']],
    [
      'edit system saved query',
      '/system/saved-queries/hot-sleds/edit',
      true,
      ['button', 'Update saved query'],
    ],
    ['alert receivers', '/system/alerts', true, ['link', 'pager']],
    ['raised alerts', '/system/raised-alerts', true, ['heading', 'Raised alerts']],
    [
      'raised alerts, none found',
      '/system/raised-alerts?class=issue.**&from=2001-01-01&to=2001-01-02',
      true,
      ['heading', 'Nothing matches'],
    ],
    [
      'raised alerts, unknown class',
      '/system/raised-alerts?class=nothing',
      true,
      ['button', 'Clear filters'],
    ],
    ['new alert receiver', '/system/alerts-new', true, ['button', 'Create alert receiver']],
    ['alert receiver', '/system/alerts/pager', true, ['heading', 'No deliveries']],
    ['alert receiver, none found', '/system/alerts/pager?state=failed', true, ['heading', 'Nothing matches']],
    [
      'alert receiver, subscriptions',
      '/system/alerts/pager?tab=subscriptions',
      true,
      ['link', 'Add subscription'],
    ],
    ['alert receiver, secrets', '/system/alerts/pager?tab=secrets', true, ['link', 'Add secret']],
    ['edit alert receiver', '/system/alerts/pager/edit', true, ['button', 'Update alert receiver']],
    ['add subscription', '/system/alerts/pager/subscriptions-add', true, ['button', 'Add subscription']],
    ['add project', '/system/alerts/pager/places-add', true, ['button', 'Add project']],
    ['add secret', '/system/alerts/pager/secrets-add', true, ['button', 'Add secret']],
  ],
  furnish: async ({ api }) => {
    await api('admin', 'POST', '/ext/v1/metric-queries', {
      name: 'hot-sleds',
      description: '',
      query: 'get hardware_component:temperature | filter timestamp > @now() - 5m | last 1',
      threshold: { comparison: 'above', value: 1000, for_seconds: 60 },
    }).catch(() => undefined)
    // The screens of all projects show the same one, which gets no alerts.
    await api('admin', 'POST', '/v1/webhook-receivers', {
      name: 'pager',
      description: 'calls the people on duty',
      endpoint: 'https://alerts.example.com/hook',
      secrets: ['told-to-nobody'],
      subscriptions: ['maintenance.**', 'maintenance.*.began'],
    }).catch(() => undefined)
  },
}
