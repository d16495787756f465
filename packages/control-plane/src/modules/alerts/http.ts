import {
  type AlertClass,
  alertClasses,
  alertClassNames,
  classesOf,
  isAlertClass,
  isGlob,
  probeClass,
} from '@gantry/api/system/alert.rules'
import { ops } from '@gantry/api/registry'
import { arrayPage } from '../../list/array-page.ts'
import type { Cx } from '../../context/cx.ts'
import { implement, type Input } from '../../pipeline/implement.ts'
import { needFleet } from '../../lookup/need.ts'
import { invalidValue } from '../../context/refusal.ts'
import { listDeliveries, listHealth, probe, resend, viewDelivery } from './deliveries.ts'
import * as receivers from './receivers.ts'

function listClasses(cx: Cx, query: Input<'alertClassList'>['query']) {
  needFleet(cx, 'list_children')
  return arrayPage(cx, ops.alertClassList, query, {
    items: ({ filter }) => classesFor(filter).map((name) => ({ name, description: alertClasses[name] })),
    keyOf: ({ name }) => name,
    isKey: isAlertClass,
  })
}

function classesFor(filter: string | null | undefined): AlertClass[] {
  if (filter === probeClass) throw invalidValue('alert_class', 'webhook receivers cannot subscribe to probes')
  if (!filter) return alertClassNames
  // As in the reference, an exact filter matches anywhere in a name.
  return isGlob(filter) ? classesOf(filter) : alertClassNames.filter((name) => name.includes(filter))
}

export const alertsHttp = implement({
  alertClassList: async (cx, { query }) => listClasses(cx, query),
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
