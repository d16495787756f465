import { z } from 'zod'
import { del, family, get, put } from '../op.ts'
import { IdPaging, idSorts, named, pageOf, pageTokenMax, paging, text, Timestamp, Uuid } from '../schema.ts'
import { DiskFormFactor } from './hardware.ts'
import { diskIdentityMaxLength } from './hardware.rules.ts'

const identityText = text(diskIdentityMaxLength).min(1, 'value must not be empty')
const DiskIdentity = named(
  'PhysicalDiskManufacturerIdentity',
  z.object({ vendor: identityText, serial: identityText, model: identityText }),
)
export type DiskIdentity = z.infer<typeof DiskIdentity>

const UnadoptedDisk = named(
  'UnadoptedPhysicalDisk',
  z.object({
    disk_id: DiskIdentity,
    sled_id: Uuid,
    slot: z.number().int().meta({ format: 'int64' }),
    variant: DiskFormFactor,
  }),
)
export type UnadoptedDisk = z.infer<typeof UnadoptedDisk>

const AdoptionRequest = named(
  'PhysicalDiskAdoptionRequest',
  z.object({ id: Uuid, disk_id: DiskIdentity, time_created: Timestamp }),
)
export type AdoptionRequest = z.infer<typeof AdoptionRequest>

const since = 2026050800
const base = '/v1/system/hardware'

export const diskAdoptionOps = family('system/hardware', ['disk-adoption-request'], {
  physicalDiskListUnadopted: get(`${base}/disks-unadopted`, {
    since,
    reads: ['disk-adoption-request', 'physical-disk', 'sled'],
    summary: 'List physical disks that have not been adopted',
    query: z.object(paging(pageTokenMax)),
    returns: pageOf('UnadoptedPhysicalDisk', UnadoptedDisk),
  }),
  physicalDiskListAdoptionRequests: get(`${base}/disk-adoption-requests`, {
    since,
    summary: 'List requests to adopt physical disks',
    query: IdPaging,
    sorts: idSorts,
    returns: pageOf('PhysicalDiskAdoptionRequest', AdoptionRequest),
  }),
  physicalDiskEnableAdoption: put(`${base}/disk-adoption-request`, {
    since,
    summary: 'Request that a physical disk be adopted once it is found',
    body: DiskIdentity,
    returns: AdoptionRequest,
    status: 201,
  }),
  physicalDiskDisableAdoption: del(`${base}/disk-adoption-request/{physical_disk_adoption_req_id}`, {
    since,
    summary: 'Withdraw a request to adopt a physical disk',
    path: z.object({ physical_disk_adoption_req_id: Uuid }),
  }),
})
