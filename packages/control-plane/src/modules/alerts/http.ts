import {
  type AlertClass,
  alertClasses,
  alertClassNames,
  classesOf,
  isAlertClass,
} from '@gantry/api/system/alert-class.rules'
import { isGlob, probeClass } from '@gantry/api/system/alert.rules'
import { payloadOf } from '@gantry/api/system/alert-payload'
import { ops } from '@gantry/api/registry'
import { arrayPage } from '../../list/array-page.ts'
import type { Cx } from '../../context/cx.ts'
import { implement, type Input } from '../../pipeline/implement.ts'
import { needFleet } from '../../lookup/need.ts'
import { invalidValue } from '../../context/refusal.ts'
import { listAlerts, viewAlert } from './alerts.ts'
import { listDeliveries, listHealth, probe, resend, viewDelivery } from './deliveries.ts'
import { payloadSchemas } from './payload-schemas.ts'
import { addPlace, listPlaces, removePlace } from './places.ts'
import * as receivers from './receivers.ts'

function listClasses(
  cx: Cx,
  op: typeof ops.alertClassList | typeof ops.alertClassDetailList,
  query: Input<'alertClassList'>['query'],
) {
  needFleet(cx, 'list_children')
  return arrayPage(cx, op, query, {
    items: ({ filter }) =>
      classesFor(filter).map((name) => ({ name, description: alertClasses.get(name) ?? name })),
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

function listDetails(cx: Cx, query: Input<'alertClassDetailList'>['query']) {
  const { items, next_page } = listClasses(cx, ops.alertClassDetailList, query)
  const classes = items.map((item) => ({ ...item, payload: payloadOf(item.name) }))
  return { items: classes, next_page, schemas: payloadSchemas(classes.map(({ payload }) => payload)) }
}

export const alertsHttp = implement({
  alertList: (cx, { query }) => listAlerts(cx, query),
  alertView: (cx, { path }) => viewAlert(cx, path),
  alertClassList: async (cx, { query }) => listClasses(cx, ops.alertClassList, query),
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
  alertClassDetailList: async (cx, { query }) => listDetails(cx, query),
  alertActivityPlaceList: (cx, { path }) => listPlaces(cx, path),
  alertActivityPlaceAdd: (cx, { path, body }) => addPlace(cx, path, body.project ?? null),
  alertActivityPlaceRemove: (cx, { path: { place_id, ...at } }) => removePlace(cx, at, place_id),
  alertDeliveryView: (cx, { path }) => viewDelivery(cx, path),
})
