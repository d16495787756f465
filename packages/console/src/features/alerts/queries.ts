import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { isAbsent } from '#/data/extensions.ts'
import { allQuery, listQuery, opQuery, rowsOf } from '#/data/queries.ts'
import { type DeliveryStateWord, stateOf } from './words.ts'

export type ReceiverHealth = OutputOf<'alertReceiverHealthList'>['items'][number]
export type Receiver = OutputOf<'alertReceiverView'>
export type Secret = Receiver['kind']['secrets'][number]
export type Delivery = OutputOf<'alertDeliveryList'>['items'][number]
export type DeliveryDetail = OutputOf<'alertDeliveryView'>
export type ProbeResult = OutputOf<'alertReceiverProbe'>

export const receiverAt = (receiver: string) => ({ path: { receiver } })

/** The base API does not count deliveries of all receivers; the counts are then NaN. */
export const receiversWithHealth = listQuery(
  op.alertReceiverHealthList,
  {},
  {
    fallback: rowsOf(op.alertReceiverList, ({ kind: { endpoint, secrets }, ...receiver }) => ({
      ...receiver,
      endpoint,
      secretCount: secrets.length,
      pending: Number.NaN,
      delivered: Number.NaN,
      failed: Number.NaN,
      dropped: Number.NaN,
      lastAttempt: null,
    })),
  },
)
/** The classes that this server raises. */
export const allAlertClasses = allQuery(op.alertClassList, {})
export const receiverPlaces = (receiver: string) => opQuery(op.alertActivityPlaceList, receiverAt(receiver))
export const receiverView = (receiver: string) => opQuery(op.alertReceiverView, receiverAt(receiver))
/** Newest first; an unknown state is ignored. */
export function receiverDeliveries(receiver: string, word: string | undefined) {
  const state: DeliveryStateWord | undefined = stateOf(word)
  return listQuery(op.alertDeliveryList, {
    ...receiverAt(receiver),
    query: { sortBy: 'time_and_id_descending', ...(state && { [state]: true }) },
  })
}
export const deliveryView = (deliveryId: string) => opQuery(op.alertDeliveryView, { path: { deliveryId } })
/** Whether this server keeps no requests and responses of deliveries. */
export const isPlainDelivery = (): boolean =>
  isAbsent(op.alertDeliveryView) || isAbsent(op.alertReceiverHealthList)
