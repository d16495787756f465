import * as op from '@gantry/api/client/operations.gen'
import { eachQuery } from '#/data/each-query.ts'
import { allQuery } from '#/data/queries.ts'

export const allLots = allQuery(op.networkingAddressLotList, {})
/** The API lists blocks for one lot at a time. */
export const blocksOfLots = (lots: readonly { id: string }[] | undefined) =>
  eachQuery(op.networkingAddressLotBlockList, lots, (addressLot) => ({ path: { addressLot }, query: {} }))
