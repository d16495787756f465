import { alertClasses, alertClassNames, classesOf, isGlob, probeClass } from '@gantry/api/alert.rules'
import type { Cx } from '../../kernel/cx.ts'
import { implement } from '../../kernel/implement.ts'
import { needFleet } from '../../kernel/need.ts'
import { invalidValue } from '../../kernel/refusal.ts'
import { listDeliveries, listHealth, probe, resend, viewDelivery } from './deliveries.ts'
import * as receivers from './receivers.ts'

/** Few enough for one page. */
function listClasses(cx: Cx, filter: string | null | undefined) {
  needFleet(cx, 'list_children')
  if (filter === probeClass) throw invalidValue('alert_class', 'webhook receivers cannot subscribe to probes')
  const names = !filter
    ? alertClassNames
    : isGlob(filter)
      ? classesOf(filter)
      : // As in the reference, an exact filter matches anywhere in a name.
        alertClassNames.filter((name) => name.includes(filter))
  return { items: names.map((name) => ({ name, description: alertClasses[name] })), next_page: null }
}

export const alertsHttp = implement({
  alertClassList: async (cx, { query }) => listClasses(cx, query.filter),
  alertReceiverList: (cx, { query }) => receivers.listReceivers(cx, query),
  alertReceiverView: (cx, { path }) => receivers.viewReceiver(cx, path),
  alertReceiverDelete: (cx, { path }) => receivers.deleteReceiver(cx, path),
  alertReceiverSubscriptionAdd: (cx, { path, body }) =>
    receivers.addSubscription(cx, path, body.subscription),
  alertReceiverSubscriptionRemove: (cx, { path: { subscription, ...at } }) =>
    receivers.removeSubscription(cx, at, subscription),
  webhookReceiverCreate: (cx, { body }) => receivers.createReceiver(cx, body),
  webhookReceiverUpdate: (cx, { path, body }) => receivers.updateReceiver(cx, path, body),
  webhookSecretsList: (cx, { query }) => receivers.listSecrets(cx, query),
  webhookSecretsAdd: (cx, { query, body }) => receivers.addSecret(cx, query, body.secret),
  webhookSecretsDelete: (cx, { path }) => receivers.deleteSecret(cx, path),
  alertDeliveryList: (cx, { path, query }) => listDeliveries(cx, path, query),
  alertReceiverProbe: (cx, { path, query }) => probe(cx, path, query.resend === true),
  alertDeliveryResend: (cx, { path, query }) => resend(cx, path.alert_id, query),
  alertReceiverHealthList: (cx, { query }) => listHealth(cx, query),
  alertDeliveryView: (cx, { path }) => viewDelivery(cx, path),
})
