import { z } from 'zod'
import {
  attemptResults,
  deliveryRules,
  deliveryStates,
  deliveryTriggers,
  endpointProblem,
  subscriptionMaxLength,
  subscriptionPattern,
  webhookTextMax,
} from './alert.rules.ts'
import { alertPayloads, type AlertPayload } from './alert-payload.ts'
import { u32 } from '../base/uint.ts'
import { TimeAndIdSortMode } from './audit.ts'
import { timeAndIdSorts } from './audit.rules.ts'
import { del, family, get, post, put } from '../op.ts'
import {
  flag,
  identityCreate,
  IdentityUpdate,
  list,
  maybe,
  moment,
  named,
  NameOrId,
  NameOrIdPaging,
  nameOrIdSorts,
  ours,
  pageOf,
  pageTokenMax,
  paging,
  text,
  Timestamp,
  Uuid,
  withIdentity,
} from '../schema.ts'

const AlertClass = named('AlertClass', z.object({ name: z.string(), description: z.string() }))
export type AlertClassView = z.infer<typeof AlertClass>

const AlertSubscription = named(
  'AlertSubscription',
  text(subscriptionMaxLength)
    .regex(
      subscriptionPattern,
      'expected a class such as issue.failed_instance.began, or a pattern such as issue.**',
    )
    .meta({ pattern: subscriptionPattern.source }),
)

/** Normalised, as in the reference. */
const Endpoint = text(webhookTextMax)
  .superRefine((given, context) => {
    const problem = endpointProblem(given)
    if (problem) context.addIssue({ code: 'custom', message: problem })
  })
  .overwrite((given) => (URL.canParse(given) ? new URL(given).href : given))
  .meta({ format: 'uri' })
const Secret = text(webhookTextMax)

/** Its value is write-only. */
const WebhookSecret = named('WebhookSecret', z.object({ id: Uuid, time_created: Timestamp }))
export type WebhookSecret = z.infer<typeof WebhookSecret>

const AlertReceiver = named(
  'AlertReceiver',
  withIdentity({
    subscriptions: z.array(AlertSubscription),
    kind: named(
      'AlertReceiverKind',
      z.discriminatedUnion('kind', [
        z.object({
          kind: z.literal('webhook'),
          endpoint: z.string().meta({ format: 'uri' }),
          secrets: z.array(WebhookSecret),
        }),
      ]),
    ),
  }),
)
export type AlertReceiver = z.infer<typeof AlertReceiver>

const WebhookReceiver = named(
  'WebhookReceiver',
  withIdentity({
    endpoint: z.string().meta({ format: 'uri' }),
    secrets: z.array(WebhookSecret),
    subscriptions: z.array(AlertSubscription),
  }),
)
export type WebhookReceiver = z.infer<typeof WebhookReceiver>
const WebhookCreate = named(
  'WebhookCreate',
  z.object({
    ...identityCreate,
    endpoint: Endpoint,
    secrets: list(Secret, deliveryRules.secretsPerReceiver),
    subscriptions: list(AlertSubscription, deliveryRules.subscriptionsPerReceiver).default([]),
  }),
)
export type WebhookCreate = z.infer<typeof WebhookCreate>
const WebhookReceiverUpdate = named(
  'WebhookReceiverUpdate',
  z.object({ ...IdentityUpdate, endpoint: maybe(Endpoint) }),
)
export type WebhookReceiverUpdate = z.infer<typeof WebhookReceiverUpdate>

const count = z.number().int().nonnegative()
const AttemptResult = named('WebhookDeliveryAttemptResult', z.enum(attemptResults))
const WebhookDeliveryAttempt = named(
  'WebhookDeliveryAttempt',
  z.object({
    attempt: count.meta({ format: 'uint' }),
    time_sent: Timestamp,
    result: AttemptResult,
    response: named(
      'WebhookDeliveryResponse',
      z.object({ status: count.meta({ format: 'uint16' }), duration_ms: count.meta({ format: 'uint' }) }),
    ).nullable(),
  }),
)
const AlertDelivery = named(
  'AlertDelivery',
  z.object({
    id: Uuid,
    receiver_id: Uuid,
    alert_class: z.string(),
    alert_id: Uuid,
    state: named('AlertDeliveryState', z.enum(deliveryStates)),
    trigger: named('AlertDeliveryTrigger', z.enum(deliveryTriggers)),
    attempts: named('AlertDeliveryAttempts', z.object({ webhook: z.array(WebhookDeliveryAttempt) })),
    time_started: Timestamp,
  }),
)
export type AlertDelivery = z.infer<typeof AlertDelivery>
const AlertProbeResult = named(
  'AlertProbeResult',
  z.object({ probe: AlertDelivery, resends_started: count.nullable().meta({ format: 'uint' }) }),
)
export type AlertProbeResult = z.infer<typeof AlertProbeResult>

/** How a receiver fares. */
const AlertReceiverHealth = named(
  'AlertReceiverHealth',
  withIdentity({
    endpoint: z.string(),
    subscriptions: z.array(AlertSubscription),
    secret_count: count,
    pending: count,
    /** Of the last seven days. */
    delivered: count,
    failed: count,
    /** Of those that failed, the ones that were not sent because too many waited. */
    dropped: count,
    last_attempt: z
      .object({ time_sent: Timestamp, result: AttemptResult, status: count.nullable() })
      .nullable(),
  }),
)
export type AlertReceiverHealth = z.infer<typeof AlertReceiverHealth>

/** A delivery with everything sent and received. */
const AlertDeliveryDetail = named(
  'AlertDeliveryDetail',
  z.object({
    ...AlertDelivery.shape,
    /** Whether it was not sent because too many waited. */
    is_dropped: z.boolean(),
    /** Whether its contents are withheld, because the reader may not see what they tell of. */
    is_withheld: z.boolean(),
    /** When the next attempt is due; null unless pending. */
    time_next: Timestamp.nullable(),
    /** The body of the next or last request, as JSON. */
    payload: z.record(z.string(), z.unknown()),
    exchanges: z.array(
      z.object({
        attempt: count,
        request: z.object({ headers: z.record(z.string(), z.string()), body: z.string() }),
        /** The beginning of the response's body. */
        response_body: z.string().nullable(),
        /** Why there was no response. */
        reason: z.string().nullable(),
      }),
    ),
  }),
)
export type AlertDeliveryDetail = z.infer<typeof AlertDeliveryDetail>

const DeliveryCounts = z.object({ pending: count, delivered: count, failed: count })
const Alert = named(
  'Alert',
  z.object({
    id: Uuid,
    time_created: Timestamp,
    time_modified: Timestamp,
    class: z.string(),
    /** Which schema of the class's data it has: older alerts keep theirs. */
    version: u32,
    /** The data. */
    alert: z.unknown(),
    /** Whether the data is withheld, because the reader may not see what it tells of. */
    is_withheld: ours(z.boolean().optional()),
    deliveries: ours(DeliveryCounts.optional()),
    /** The last delivery to each receiver; of one alert, not of a list. */
    receivers: ours(
      z
        .array(
          z.object({
            id: Uuid,
            name: z.string(),
            delivery_id: Uuid,
            state: z.enum(deliveryStates),
            time_started: Timestamp,
          }),
        )
        .optional(),
    ),
  }),
)
export type Alert = z.infer<typeof Alert>

/** A class with the schema of its alerts' data, by its name among `schemas`. */
const AlertClassDetail = named(
  'AlertClassDetail',
  z.object({ ...AlertClass.shape, payload: z.enum(Object.keys(alertPayloads) as [AlertPayload]) }),
)
export type AlertClassDetail = z.infer<typeof AlertClassDetail>

const Place = z.object({ id: Uuid, name: z.string().nullable() })

/** A project or a silo whose activity a receiver gets, as far as the user who added it may see it. */
const AlertActivityPlace = named(
  'AlertActivityPlace',
  z.object({
    id: Uuid,
    silo: Place,
    /** Null for all of the silo. */
    project: Place.nullable(),
    added_by: Place,
    time_created: Timestamp,
    /** Whether that user may still see it: otherwise nothing of it is sent. */
    is_heard: z.boolean(),
  }),
)
export type AlertActivityPlace = z.infer<typeof AlertActivityPlace>

/** The first version of the API that lists alerts. */
const firstVersion = 2026081400

const path = z.object({ receiver: NameOrId })
const ofReceiver = z.object({ receiver: NameOrId })

export const alertOps = {
  ...family('system/alerts', ['alert-receiver'], {
    alertClassList: get('/v1/alert-classes', {
      summary: 'List alert classes',
      query: z.object({ ...paging(pageTokenMax), filter: maybe(AlertSubscription) }),
      returns: pageOf('AlertClass', AlertClass),
    }),
    alertReceiverList: get('/v1/alert-receivers', {
      summary: 'List alert receivers',
      query: NameOrIdPaging,
      sorts: nameOrIdSorts,
      returns: pageOf('AlertReceiver', AlertReceiver),
    }),
    alertReceiverView: get('/v1/alert-receivers/{receiver}', {
      summary: 'Fetch an alert receiver',
      path,
      returns: AlertReceiver,
    }),
    alertReceiverDelete: del('/v1/alert-receivers/{receiver}', { summary: 'Delete an alert receiver', path }),
    alertReceiverSubscriptionAdd: post('/v1/alert-receivers/{receiver}/subscriptions', {
      summary: 'Subscribe a receiver to classes of alerts',
      path,
      body: named('AlertSubscriptionCreate', z.object({ subscription: AlertSubscription })),
      returns: named('AlertSubscriptionCreated', z.object({ subscription: AlertSubscription })),
    }),
    alertReceiverSubscriptionRemove: del('/v1/alert-receivers/{receiver}/subscriptions/{subscription}', {
      summary: 'Remove a subscription of a receiver',
      path: path.extend({ subscription: AlertSubscription }),
    }),
    webhookReceiverCreate: post('/v1/webhook-receivers', {
      summary: 'Create a webhook receiver',
      body: WebhookCreate,
      returns: WebhookReceiver,
    }),
    webhookReceiverUpdate: put('/v1/webhook-receivers/{receiver}', {
      summary: 'Update a webhook receiver',
      path,
      body: WebhookReceiverUpdate,
      status: 204,
    }),
    webhookSecretsList: get('/v1/webhook-secrets', {
      summary: 'List the ids of the secrets of a receiver',
      noScreen: { shownBy: 'alertReceiverView' },
      query: ofReceiver,
      returns: named('WebhookSecrets', z.object({ secrets: z.array(WebhookSecret) })),
    }),
    webhookSecretsAdd: post('/v1/webhook-secrets', {
      summary: 'Add a secret with which deliveries are signed',
      query: ofReceiver,
      body: named('WebhookSecretCreate', z.object({ secret: Secret })),
      returns: WebhookSecret,
    }),
    webhookSecretsDelete: del('/v1/webhook-secrets/{secret_id}', {
      summary: 'Delete a secret of a receiver',
      path: z.object({ secret_id: Uuid }),
    }),
  }),
  ...family('system/alerts', ['alert', 'alert-delivery', 'alert-receiver'], {
    alertList: get('/v1/alerts', {
      summary: 'List alerts',
      since: firstVersion,
      query: z.object({
        ...paging(pageTokenMax),
        /** A class, or a pattern for several. */
        alert_class: maybe(AlertSubscription),
        /** Both inclusive. */
        start_time: maybe(moment()),
        end_time: maybe(moment()),
        sort_by: maybe(TimeAndIdSortMode),
      }),
      sorts: timeAndIdSorts,
      returns: pageOf('Alert', Alert),
    }),
    alertView: get('/v1/alerts/{alert_id}', {
      summary: 'Fetch an alert',
      since: firstVersion,
      path: z.object({ alert_id: Uuid }),
      returns: Alert,
    }),
  }),
  ...family('system/alerts', ['alert-receiver', 'alert-delivery'], {
    alertDeliveryList: get('/v1/alert-receivers/{receiver}/deliveries', {
      summary: 'List the deliveries to a receiver',
      path,
      query: z.object({
        ...paging(pageTokenMax),
        sort_by: maybe(TimeAndIdSortMode),
        pending: maybe(flag),
        failed: maybe(flag),
        delivered: maybe(flag),
      }),
      sorts: timeAndIdSorts,
      returns: pageOf('AlertDelivery', AlertDelivery),
    }),
    alertReceiverProbe: post('/v1/alert-receivers/{receiver}/probe', {
      summary: 'Send a probe to a receiver',
      changes: ['alert-delivery'],
      path,
      query: z.object({ resend: maybe(flag) }),
      returns: AlertProbeResult,
      status: 200,
    }),
    alertDeliveryResend: post('/v1/alerts/{alert_id}/resend', {
      summary: 'Deliver an alert to a receiver again',
      changes: ['alert-delivery'],
      path: z.object({ alert_id: Uuid }),
      query: ofReceiver,
      returns: named('AlertDeliveryId', z.object({ delivery_id: Uuid })),
    }),
  }),
  ...family('extensions', ['alert-receiver'], {
    alertClassDetailList: get('/ext/v1/system/alert-classes', {
      summary: "List alert classes with the schemas of their alerts' data",
      noScreen: { sentBy: 'programs that receive alerts' },
      query: z.object({ ...paging(pageTokenMax), filter: maybe(AlertSubscription) }),
      returns: named(
        'AlertClassDetailResultsPage',
        z.object({
          items: z.array(AlertClassDetail),
          next_page: z.string().nullish(),
          /** JSON Schemas. */
          schemas: z.record(z.string(), z.unknown()),
        }),
      ),
    }),
    alertActivityPlaceList: get('/ext/v1/system/alert-receivers/{receiver}/activity-places', {
      summary: 'List the projects and silos whose activity a receiver gets',
      path,
      returns: named('AlertActivityPlaces', z.object({ items: z.array(AlertActivityPlace) })),
    }),
    alertActivityPlaceAdd: post('/ext/v1/system/alert-receivers/{receiver}/activity-places', {
      summary: 'Let a receiver get the activity of a project or of your silo',
      path,
      body: named(
        'AlertActivityPlaceCreate',
        z.object({
          /** Null for all of the caller's silo. */
          project: maybe(NameOrId),
        }),
      ),
      returns: AlertActivityPlace,
    }),
    alertActivityPlaceRemove: del('/ext/v1/system/alert-receivers/{receiver}/activity-places/{place_id}', {
      summary: 'Stop a receiver getting the activity of a project or silo',
      path: path.extend({ place_id: Uuid }),
    }),
  }),
  ...family('extensions', ['alert-receiver', 'alert-delivery'], {
    alertReceiverHealthList: get('/ext/v1/system/alert-receivers', {
      summary: 'List alert receivers with the results of their deliveries',
      query: NameOrIdPaging,
      sorts: nameOrIdSorts,
      returns: pageOf('AlertReceiverHealth', AlertReceiverHealth),
    }),
    alertDeliveryView: get('/ext/v1/system/alert-deliveries/{delivery_id}', {
      summary: 'Fetch a delivery with its requests and responses',
      path: z.object({ delivery_id: Uuid }),
      returns: AlertDeliveryDetail,
    }),
  }),
}
