import type { instanceFileOps } from '@gantry/api/compute/instance-file'
import { atlas, fresh, id, project } from '../../testing/case-values.ts'
import { type CasesOf, createInProject, modifyChild } from '../../testing/operation-case.ts'
import { freshSnapshot } from '../instance-snapshots/instance-snapshot.cases.ts'
import { wholeUpload } from './instance-file.fixtures.ts'

const sent = { path: { instance_snapshot: 'nobody' }, query: { ...project, format: 'gantry' } }

export const instanceFileCases: CasesOf<typeof instanceFileOps> = {
  instanceExportPlan: {
    sent,
    rule: createInProject,
    allowed: async ({ made }) => [
      `/ext/v1/instance-snapshots/${await freshSnapshot(made)}/export-plan?${atlas}`,
    ],
  },
  instanceExport: {
    sent,
    rule: createInProject,
    allowed: async ({ made }) => [`/ext/v1/instance-snapshots/${await freshSnapshot(made)}/export?${atlas}`],
  },
  instanceImportPlan: {
    sent: { path: { upload: id } },
    rule: modifyChild,
    allowed: async (scene) => [`/ext/v1/image-uploads/${await wholeUpload(scene, atlas, fresh())}/instance`],
  },
  instanceImport: {
    sent: { path: { upload: id }, body: { name: 'web' } },
    rule: modifyChild,
    allowed: async (scene) => [
      `/ext/v1/image-uploads/${await wholeUpload(scene, atlas, fresh())}/instance`,
      { name: fresh() },
    ],
  },
}
