import type { diskOps } from '@gantry/api/storage/disk'
import { GiB, atlas, fresh, named, newDisk, project } from '../../testing/case-values.ts'
import {
  type CasesOf,
  type OperationCase,
  createInProject,
  listProject,
  modifyChild,
  readChild,
  type Given,
} from '../../testing/operation-case.ts'

const disk = { path: { disk: 'nobody' }, query: project }

const addressed: OperationCase['addressed'] = [
  'disk',
  'disk',
  ['project'],
  'when providing disk as an ID project should not be specified',
  'disk should either be UUID or project should be specified',
]

export const diskCases: CasesOf<typeof diskOps> = {
  diskList: { sent: { query: project }, rule: listProject, allowed: () => [`/v1/disks?${atlas}`] },
  diskCreate: {
    sent: {
      query: project,
      body: { ...named, size: GiB, disk_source: { type: 'blank', block_size: 512 } },
    },
    rule: createInProject,
    allowed: () => [`/v1/disks?${atlas}`, newDisk(fresh())],
  },
  diskView: {
    sent: disk,
    rule: readChild,
    allowed: () => [`/v1/disks/loose?${atlas}`],
    addressed,
  },
  diskDelete: {
    sent: disk,
    rule: modifyChild,
    allowed: () => [`/v1/disks/held?${atlas}`],
    addressed,
  },
  diskBulkWriteImportStart: {
    sent: disk,
    rule: modifyChild,
    allowed: () => [`/v1/disks/loose/bulk-write-start?${atlas}`],
  },
  diskBulkWriteImport: {
    sent: { ...disk, body: { offset: 0, base64_encoded_data: '' } },
    rule: modifyChild,
    allowed: () => [`/v1/disks/loose/bulk-write?${atlas}`, { offset: 0, base64_encoded_data: '' }],
  },
  diskBulkWriteImportStop: {
    sent: disk,
    rule: modifyChild,
    allowed: () => [`/v1/disks/loose/bulk-write-stop?${atlas}`],
  },
  diskFinalizeImport: {
    sent: { ...disk, body: { snapshot_name: 'new-one' } },
    rule: modifyChild,
    allowed: () => [`/v1/disks/loose/finalize?${atlas}`, {}],
  },
}

export const diskGiven: Given = {
  disk: ({ at, the }) => [`/v1/disks?${at}`, newDisk(the.name)],
}
