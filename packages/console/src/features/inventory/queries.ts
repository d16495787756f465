import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { listQuery, opQuery } from '#/data/queries.ts'

export type Sled = OutputOf<'sledView'>
export type SledUse = OutputOf<'sledUseList'>['items'][number]
export type SledInstance = OutputOf<'sledInstanceList'>['items'][number]
export type PhysicalDisk = OutputOf<'physicalDiskList'>['items'][number]
export type Switch = OutputOf<'switchList'>['items'][number]
export type UninitializedSled = OutputOf<'sledListUninitialized'>['items'][number]
export type Drain = OutputOf<'sledDrainView'>

export const sledAt = (sledId: string) => ({ path: { sledId } })

/** All sleds with slot, load, health and instances, in one response. */
export const sledUses = opQuery(op.sledUseList, {})
export const uninitializedSleds = opQuery(op.sledListUninitialized, {})
export const sledView = (sled: string) => opQuery(op.sledView, sledAt(sled))
export const sledInstances = (sled: string) => listQuery(op.sledInstanceList, sledAt(sled))
export const sledDrains = (sled: string) => opQuery(op.sledDrainList, sledAt(sled))
export const sledDisks = (sled: string) => listQuery(op.sledPhysicalDiskList, sledAt(sled))
export const physicalDisks = listQuery(op.physicalDiskList, {})
export const switches = listQuery(op.switchList, {})
