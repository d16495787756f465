import { withoutFirstAnswers } from '../../support/steps.ts'
import { follow, inRow, inRowWith, press, type Overlays, type Step } from './steps.ts'

/** Mocks a delivery that a receiver answered with a failure. */
const withDelivery: Step = async (page) => {
  const delivery = {
    id: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
    receiver_id: '0f8fad5b-d9cb-469f-a165-70867728950e',
    alert_id: '16fd2706-8baf-433b-82eb-8c7fada847da',
    alert_class: 'maintenance.window.began',
    state: 'failed',
    trigger: 'alert',
    time_started: '2026-05-04T08:30:00.000Z',
    attempts: {
      webhook: [
        {
          attempt: 1,
          time_sent: '2026-05-04T08:30:01.000Z',
          result: 'failed_http_error',
          response: { status: 500, duration_ms: 120 },
        },
      ],
    },
  }
  const exchange = {
    attempt: 1,
    request: {
      headers: { 'content-type': 'application/json' },
      body: '{"alert_class":"maintenance.window.began"}',
    },
    response_body: 'Out of order',
    reason: null,
  }
  await withoutFirstAnswers(page)
  await page.route('**/v1/alert-receivers/*/deliveries?**', (route) =>
    route.fulfill({ json: { items: [delivery], next_page: null } }),
  )
  await page.route('**/ext/v1/system/alert-deliveries/*', (route) =>
    route.fulfill({ json: { ...delivery, payload: {}, time_next: null, exchanges: [exchange] } }),
  )
  await page.reload()
}

/** Mocks an alert that one receiver was sent. */
const withAlert: Step = async (page) => {
  const alert = {
    id: '16fd2706-8baf-433b-82eb-8c7fada847da',
    time_created: '2026-05-04T08:30:00.000Z',
    time_modified: '2026-05-04T08:30:00.000Z',
    class: 'issue.fault.began',
    version: 1,
    alert: { message: 'Sled BRM42 does not answer', severity: 'critical' },
    is_withheld: false,
    deliveries: { pending: 0, delivered: 0, failed: 1 },
  }
  const receiver = {
    id: '0f8fad5b-d9cb-469f-a165-70867728950e',
    name: 'pager',
    delivery_id: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
    state: 'failed',
    time_started: '2026-05-04T08:30:00.000Z',
  }
  await withoutFirstAnswers(page)
  await page.route('**/v1/alerts?**', (route) => route.fulfill({ json: { items: [alert], next_page: null } }))
  await page.route('**/v1/alerts/*', (route) => route.fulfill({ json: { ...alert, receivers: [receiver] } }))
  await page.reload()
}

/** A silo whose activity the receiver gets. */
const withPlace: Step = async (page) => {
  const place = {
    id: '16fd2706-8baf-433b-82eb-8c7fada847db',
    silo: { id: '16fd2706-8baf-433b-82eb-8c7fada847dc', name: 'demo' },
    project: null,
    added_by: { id: '16fd2706-8baf-433b-82eb-8c7fada847dd', name: 'admin' },
    time_created: '2026-01-02T10:00:00Z',
    is_heard: true,
  }
  await page.route('**/ext/v1/system/alert-receivers/*/activity-places', (route) =>
    route.fulfill({ json: { items: [place] } }),
  )
  await withoutFirstAnswers(page)
  await page.reload()
}

export const alertsOverlays: Overlays = {
  'features/alerts/DeliveryPanel.tsx': [
    ['/system/alerts/pager', 'maintenance.window.began', withDelivery, follow('maintenance.window.began')],
  ],
  'features/alerts/raised/AlertPanel.tsx': [
    ['/system/raised-alerts', 'issue.fault.began', withAlert, follow('issue.fault.began')],
  ],
  'features/alerts/ProbeDialog.tsx': [['/system/alerts/pager', 'Send test', press('Send test')]],
  'features/alerts/SecretsTab.tsx': [
    ['/system/alerts/pager?tab=secrets', 'Confirm delete secret', inRow('[0-9a-f]{8}', 'Delete')],
  ],
  'features/alerts/SubscriptionsTab.tsx': [
    [
      '/system/alerts/pager?tab=subscriptions',
      'Confirm remove subscription',
      inRowWith('maintenance.*.began', 'Remove'),
    ],
  ],
  'features/alerts/PlacesSection.tsx': [
    [
      '/system/alerts/pager?tab=subscriptions',
      'Confirm remove project',
      withPlace,
      inRowWith('All of silo', 'Remove'),
    ],
  ],
  'features/alerts/use-receiver-actions.tsx': [
    ['/system/alerts', 'Confirm delete alert receiver', inRow('pager', 'Delete')],
  ],
  'features/alerts/parts.tsx': [
    ['/system/alerts/pager', 'Confirm resend', withDelivery, inRowWith('maintenance.window.began', 'Resend')],
  ],
  'routes/_console/system/_alerts/alerts-new.tsx': [['/system/alerts-new', 'Create alert receiver']],
  'routes/_console/system/alerts/$receiver/edit.tsx': [['/system/alerts/pager/edit', 'Edit alert receiver']],
  'routes/_console/system/alerts/$receiver/places-add.tsx': [
    ['/system/alerts/pager/places-add', 'Add project'],
  ],
  'routes/_console/system/alerts/$receiver/secrets-add.tsx': [
    ['/system/alerts/pager/secrets-add', 'Add secret'],
  ],
  'routes/_console/system/alerts/$receiver/subscriptions-add.tsx': [
    ['/system/alerts/pager/subscriptions-add', 'Add subscription'],
  ],
}
