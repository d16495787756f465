import type { alertOps } from '@gantry/api/system/alert'
import { addActivityPlace, addReceiver, addWebhookSecret } from '../../testing/alerts.ts'
import { fresh, id, named, plain } from '../../testing/case-values.ts'
import { type CasesOf, onFleet, openly } from '../../testing/operation-case.ts'

const receiver = { path: { receiver: 'nobody' } }

export const alertCases: CasesOf<typeof alertOps> = {
  alertList: {
    sent: {
      query: {
        alert_class: 'issue.**',
        start_time: '2026-08-14T00:00:00Z',
        end_time: '2026-08-15T00:00:00Z',
      },
    },
    rule: openly('list_children', 'fleet'),
    allowed: () => ['/v1/alerts?alert_class=issue.**&sort_by=time_and_id_descending'],
  },
  alertView: {
    sent: { path: { alert_id: id } },
    rule: openly('read', 'fleet'),
    allowed: ({ alert }) => [`/v1/alerts/${alert.alert_id}`],
  },
  alertClassList: {
    sent: { query: { filter: 'issue.**' } },
    rule: openly('list_children', 'fleet'),
    allowed: () => ['/v1/alert-classes'],
  },
  alertReceiverList: {
    sent: {},
    rule: openly('list_children', 'fleet'),
    allowed: () => ['/v1/alert-receivers'],
  },
  alertReceiverView: { sent: receiver, rule: onFleet('read'), allowed: () => ['/v1/alert-receivers/pager'] },
  alertReceiverDelete: {
    sent: receiver,
    rule: onFleet('modify'),
    allowed: async ({ bed }) => [`/v1/alert-receivers/${await addReceiver(bed.db, fresh())}`],
  },
  alertReceiverSubscriptionAdd: {
    sent: { ...receiver, body: { subscription: 'issue.**' } },
    rule: onFleet('modify'),
    allowed: () => ['/v1/alert-receivers/pager/subscriptions', { subscription: '**' }],
  },
  alertReceiverSubscriptionRemove: {
    sent: { path: { ...receiver.path, subscription: 'issue.**' } },
    rule: onFleet('modify'),
    allowed: () => ['/v1/alert-receivers/pager/subscriptions/issue.*'],
  },
  webhookReceiverCreate: {
    sent: {
      body: { ...named, endpoint: 'https://hook.example', secrets: ['s'], subscriptions: [] },
    },
    rule: openly('create_child', 'fleet'),
    allowed: () => [
      '/v1/webhook-receivers',
      { ...plain(), endpoint: 'https://hook.example', secrets: ['s'] },
    ],
  },
  webhookReceiverUpdate: {
    sent: { ...receiver, body: { description: 'x' } },
    rule: onFleet('modify'),
    allowed: () => ['/v1/webhook-receivers/pager', { description: fresh() }],
  },
  webhookSecretsList: {
    sent: { query: receiver.path },
    rule: onFleet('read'),
    allowed: () => ['/v1/webhook-secrets?receiver=pager'],
  },
  webhookSecretsAdd: {
    sent: { query: receiver.path, body: { secret: 's' } },
    rule: onFleet('modify'),
    allowed: async ({ bed }) => [
      `/v1/webhook-secrets?receiver=${await addReceiver(bed.db, fresh())}`,
      { secret: 's' },
    ],
  },
  webhookSecretsDelete: {
    sent: { path: { secret_id: id } },
    rule: onFleet('modify'),
    allowed: async ({ bed, alert }) => [
      `/v1/webhook-secrets/${await addWebhookSecret(bed.db, alert.receiver_id)}`,
    ],
  },
  alertDeliveryList: {
    sent: receiver,
    rule: onFleet('list_children'),
    allowed: () => ['/v1/alert-receivers/pager/deliveries'],
  },
  alertReceiverProbe: {
    sent: { ...receiver, query: { resend: 'true' } },
    rule: onFleet('read'),
    allowed: () => ['/v1/alert-receivers/pager/probe'],
  },
  alertDeliveryResend: {
    sent: { path: { alert_id: id }, query: receiver.path },
    rule: onFleet('modify'),
    allowed: ({ alert }) => [`/v1/alerts/${alert.alert_id}/resend?receiver=pager`],
  },
  alertClassDetailList: {
    sent: { query: { filter: 'issue.**' } },
    rule: openly('list_children', 'fleet'),
    allowed: () => ['/ext/v1/system/alert-classes'],
  },
  alertActivityPlaceList: {
    sent: receiver,
    rule: onFleet('read'),
    allowed: () => ['/ext/v1/system/alert-receivers/pager/activity-places'],
  },
  alertActivityPlaceAdd: {
    sent: { ...receiver, body: { project: 'nothing' } },
    rule: onFleet('modify'),
    // Refused to a fleet admin without a role on the silo.
    allowed: () => ['/ext/v1/system/alert-receivers/pager/activity-places', { project: null }],
  },
  alertActivityPlaceRemove: {
    sent: { path: { ...receiver.path, place_id: id } },
    rule: onFleet('modify'),
    allowed: async ({ bed, alert }) => [
      `/ext/v1/system/alert-receivers/pager/activity-places/${await addActivityPlace(bed.db, alert.receiver_id)}`,
    ],
  },
  alertReceiverHealthList: {
    sent: {},
    rule: openly('list_children', 'fleet'),
    allowed: () => ['/ext/v1/system/alert-receivers'],
  },
  alertDeliveryView: {
    sent: { path: { delivery_id: id } },
    rule: openly('read', 'fleet'),
    allowed: ({ alert }) => [`/ext/v1/system/alert-deliveries/${alert.delivery_id}`],
  },
}
