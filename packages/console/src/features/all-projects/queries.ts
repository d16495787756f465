import * as op from '@gantry/api/client/operations.gen'
import { listQuery } from '#/data/queries.ts'
import { findQuery } from '#/kit/list/find.ts'
import type { FindSearch } from '#/kit/list/use-list-page.ts'

const asked = (search: FindSearch) => ({ path: {}, query: findQuery(search) })

/* Of all projects that the user may see, with the URL's filter and order. */
export const everyInstance = (search: FindSearch) => listQuery(op.instanceSortedList, asked(search))
export const everyDisk = (search: FindSearch) => listQuery(op.diskSortedList, asked(search))
export const everySnapshot = (search: FindSearch) => listQuery(op.snapshotSortedList, asked(search))
export const everyInstanceSnapshot = (search: FindSearch) => listQuery(op.instanceSnapshotList, asked(search))
export const everyBackup = (search: FindSearch) => listQuery(op.instanceBackupList, asked(search))
export const everyImage = (search: FindSearch) => listQuery(op.imageSortedList, asked(search))
export const everyFloatingIp = (search: FindSearch) => listQuery(op.floatingIpSortedList, asked(search))
export const everyExternalSubnet = (search: FindSearch) =>
  listQuery(op.externalSubnetSortedList, asked(search))
export const everyVpc = (search: FindSearch) => listQuery(op.vpcSortedList, asked(search))
